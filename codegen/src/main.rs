//! `sortsmith`: emits, lists, explains and compiles generated CUDA sorts.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
