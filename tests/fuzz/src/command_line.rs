//! Arguments of the command line.

// The program's own modules, of which only those are here that parse.
#[allow(dead_code)]
#[path = "../../../codegen/src/cli/args.rs"]
mod args;
#[allow(dead_code)]
#[path = "../../../codegen/src/cli/failure.rs"]
mod failure;
#[path = "../../../codegen/src/cli/usage.rs"]
mod usage;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use clap::Parser;
use clap::error::ErrorKind;
use sortsmith_codegen::{Family, KeyType, Token, ValueType};

use crate::{Target, message};
use args::{Cli, Command};
use failure::Failure;

/// The target.
pub const TARGET: Target = Target { name: "command_line", run, words, rounds: 1500 };

/// Lines as arguments, which may be any bytes: they are a command, ask for help, or are refused in a line with exit
/// code 2.
fn run(data: &[u8]) {
    let arguments = data.split(|byte| *byte == b'\n').map(|it| OsString::from_vec(it.to_vec()));
    let program = OsString::from("sortsmith");
    match Cli::try_parse_from(std::iter::once(program).chain(arguments.take(40))) {
        Ok(cli) => check(&cli.command),
        Err(error) => {
            let asks = [
                ErrorKind::DisplayHelp,
                ErrorKind::DisplayVersion,
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ];
            if asks.contains(&error.kind()) {
                assert!(error.render().to_string().contains("sortsmith"));
                return;
            }
            match usage::answer(&error) {
                Err(Failure::Request(said)) => {
                    message::check(&failure::one_line(&said));
                }
                other => panic!("{error}: {other:?}"),
            }
        }
    }
}

/// What the command asks for, as far as that touches nothing.
fn check(command: &Command) {
    if let Command::Emit(args) = command {
        assert!(!(args.check && args.force));
        assert!(args.out.is_none() || !args.stdout);
    }
}

fn words() -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    words.extend(KeyType::ALL.iter().map(|key| format!("\n--key\n{key}")));
    words.extend(ValueType::table().iter().map(|(_, word)| format!("\n--value={word}")));
    words.extend(Family::table().iter().map(|(_, word)| format!("\n--algorithm\n{word}")));
    let more = "emit list explain compile cache path clear env tune completions bash --name --matrix default --out --stdout \
        --check --force --prune --facade cub cub-device cub-segmented cub-topk cub-rows --tile-kernel --block 256 32x8 --items 16 --lanes 32 --radix-bits 6 --order \
        both --rank match --no-memoize --inner-scan raking --bits 0..45 --stable --input striped --output blocked --arch \
        sm_90 --json --n 18446744073709551616 --multiprocessors -1 --format ptx --help --version -- = -h";
    words.extend(more.split_whitespace().map(|word| format!("\n{word}")));
    words.extend(["\n", "\u{2028}", "\u{1b}[2J", "\r", "\u{b}", "\u{85}"].map(str::to_owned));
    words
}
