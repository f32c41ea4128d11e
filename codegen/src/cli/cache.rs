//! `sortsmith cache`.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use sortsmith_codegen::OneLine;
use sortsmith_codegen::cache::{Cache, Description, Entry};

use super::args::CacheCommand;
use super::failure::Failure;
use super::output;

/// An entry as JSON: without a kernel if it is damaged.
#[derive(Serialize)]
struct Item {
    path: PathBuf,
    bytes: u64,
    #[serde(flatten)]
    kernel: Option<Description>,
    damage: Option<String>,
}

pub fn run(command: &CacheCommand) -> Result<(), Failure> {
    let cache = Cache::of_this_user();
    match command {
        CacheCommand::Path => output::print(&format!("{}\n", cache.dir()?.display())),
        CacheCommand::List { json: true } => {
            let items: Vec<Item> = cache.entries()?.into_iter().map(item).collect();
            output::print_json(&items)
        }
        CacheCommand::List { json: false } => output::print(&text(&cache.entries()?)),
        CacheCommand::Clear => {
            let cleared = cache.clear()?;
            output::note(&format!("removed {} files, {} bytes", cleared.files, cleared.bytes));
            Ok(())
        }
    }
}

fn item(entry: Entry) -> Item {
    let (kernel, damage) = match entry.content {
        Ok(kernel) => (Some(kernel), None),
        Err(damage) => (None, Some(damage.to_string())),
    };
    Item { path: entry.path, bytes: entry.bytes, kernel, damage }
}

/// What sets kernels of one name apart, by source, options, compiler or version: the first digits of their keys.
fn key_of(entry: &Entry) -> &str {
    let name = entry.path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    let key = name.rsplit('-').next().unwrap_or_default();
    key.get(..8).unwrap_or(key)
}

fn text(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let bytes = entry.bytes;
        let _ = match &entry.content {
            Ok(kernel) => {
                let Description { name, arch, format } = kernel;
                let arch = format!("sm_{arch}");
                let key = key_of(entry);
                writeln!(text, "{bytes:>9}  {key:<8}  {arch:<7}  {format:<5}  {}", OneLine(name))
            }
            Err(damage) => {
                writeln!(text, "{bytes:>9}  damaged: {damage}: {}", entry.path.display())
            }
        };
    }
    text
}
