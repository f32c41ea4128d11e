//! `sortsmith-tune`: finds the fastest shapes of sorts on this machine's GPU.

fn main() -> std::process::ExitCode {
    sortsmith_tune::cli::run()
}
