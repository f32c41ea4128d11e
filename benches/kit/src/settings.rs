//! What the environment and the command line ask of a bench.

use std::path::PathBuf;
use std::str::FromStr;

/// The value of a variable, or what stands for it where it is not set.
pub fn variable<T: FromStr>(name: &str, default: T) -> Result<T, String> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name}={text} is not legal")),
        Err(_) => Ok(default),
    }
}

/// The words of the command line that are no flags; cargo adds some of those.
pub fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect()
}

/// The library that `benches/peers/build.sh` builds.
pub fn peers_library() -> Result<PathBuf, String> {
    variable("SORTSMITH_PEERS", PathBuf::from("target/peers/libsortsmith_peers.so"))
}

/// The folder for records.
pub fn out() -> Result<PathBuf, String> {
    variable("SORTSMITH_OUT", PathBuf::from("bench-out"))
}
