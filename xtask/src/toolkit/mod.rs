//! `cargo xtask toolkit`: finds the CUDA compilers, or fetches them.

mod fetch;

use std::path::Path;

use serde_json::json;
use sortsmith_codegen::toolchain::{Component, Nvcc, Nvrtc, Toolchain};

use crate::{ToolkitArgs, error::Error};

pub fn run(args: &ToolkitArgs) -> Result<(), Error> {
    let toolchain = match &args.dir {
        Some(dir) => Toolchain::in_folder(&fetch::fetch(dir, args.force)?),
        None if args.force => Toolchain::in_folder(&fetch::fetch(&fetch::default_dir(), true)?),
        None => ensure()?,
    };
    if args.json {
        print_json(&toolchain);
    } else {
        print_table(&toolchain);
    }
    Ok(())
}

/// CUDA's compilers, after fetching them if one is missing.
pub fn ensure() -> Result<Toolchain, Error> {
    if let Some(found) = found() {
        return Ok(found);
    }
    Ok(Toolchain::in_folder(&fetch::fetch(&fetch::default_dir(), false)?))
}

/// CUDA's compilers, if none is missing.
pub fn found() -> Option<Toolchain> {
    Some(Toolchain::find()).filter(is_sufficient)
}

fn is_sufficient(toolchain: &Toolchain) -> bool {
    toolchain.nvrtc.is_some() && toolchain.nvcc.is_some() && !toolchain.include_dirs.is_empty()
}

/// The versions of the compilers that can tell theirs.
fn version_of(name: &str, toolchain: &Toolchain) -> Option<String> {
    let (major, minor) = match name {
        "nvrtc" => Nvrtc::load(toolchain).ok()?.version(),
        "nvcc" => Nvcc::new(toolchain).ok()?.version().ok()?,
        _ => return None,
    };
    Some(format!("{major}.{minor}"))
}

fn print_table(toolchain: &Toolchain) {
    let row = |name: &str, what: &str| println!("{name:<18} {what}");
    for (name, component) in toolchain.components() {
        match component {
            Some(Component { path, origin, .. }) => {
                let version = version_of(name, toolchain).map(|it| it + "  ").unwrap_or_default();
                row(name, &format!("{version}{}  ({origin})", path.display()));
            }
            None => row(name, "-"),
        }
    }
    for dir in &toolchain.include_dirs {
        row("headers", &dir.display().to_string());
    }
    let cccl = toolchain.cccl_include.as_deref().map(Path::display);
    row("cub", &cccl.map_or_else(|| "-".to_owned(), |dir| dir.to_string()));
}

fn print_json(toolchain: &Toolchain) {
    let components: serde_json::Map<_, _> = toolchain
        .components()
        .into_iter()
        .map(|(name, component)| {
            let value = component.map(|component| {
                json!({
                    "path": component.path,
                    "root": component.root,
                    "origin": component.origin.to_string(),
                    "version": version_of(name, toolchain),
                })
            });
            (name.to_owned(), json!(value))
        })
        .collect();
    let report = json!({
        "components": components,
        "include_dirs": toolchain.include_dirs,
        "cccl_include": toolchain.cccl_include,
    });
    println!("{report:#}");
}
