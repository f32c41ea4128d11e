//! `sortsmith env`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sortsmith_codegen::cache::Cache;
use sortsmith_codegen::toolchain::{Nvcc, Nvrtc, Toolchain};

use super::args::EnvArgs;
use super::driver::{self, Driver};
use super::failure::Failure;
use super::output;

#[derive(Serialize)]
struct Report {
    sortsmith: &'static str,
    driver: Option<Driver>,
    no_driver: Option<String>,
    tools: Vec<Tool>,
    include_dirs: Vec<PathBuf>,
    cccl_include: Option<PathBuf>,
    cache: Option<PathBuf>,
    /// Why it is not used.
    cache_problem: Option<String>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    path: Option<PathBuf>,
    found_by: Option<String>,
    version: Option<String>,
    problem: Option<String>,
}

pub fn run(args: &EnvArgs) -> Result<(), Failure> {
    let (driver, no_driver) = match driver::find() {
        Ok(driver) => (Some(driver), None),
        Err(reason) => (None, Some(reason)),
    };
    let toolchain = Toolchain::find();
    let cache = Cache::of_this_user();
    let report = Report {
        sortsmith: env!("CARGO_PKG_VERSION"),
        driver,
        no_driver,
        tools: tools(&toolchain),
        include_dirs: toolchain.include_dirs.clone(),
        cccl_include: toolchain.cccl_include.clone(),
        cache: cache.dir().ok().map(Path::to_owned),
        cache_problem: cache.check().err().map(|error| error.to_string()),
    };
    if args.json { output::print_json(&report) } else { output::print(&text(&report)) }
}

fn tools(toolchain: &Toolchain) -> Vec<Tool> {
    let components = toolchain.components().into_iter();
    components
        .map(|(name, component)| {
            let version = component.and_then(|_| match name {
                "nvrtc" => Some(Nvrtc::load(toolchain).map(|nvrtc| nvrtc.version())),
                "nvcc" => Some(Nvcc::new(toolchain).and_then(|nvcc| nvcc.version())),
                _ => None,
            });
            let (version, problem) = match version {
                Some(Ok((major, minor))) => (Some(format!("{major}.{minor}")), None),
                Some(Err(error)) => (None, Some(super::failure::one_line(&error.to_string()))),
                None => (None, None),
            };
            Tool {
                name,
                path: component.map(|component| component.path.clone()),
                found_by: component.map(|component| component.origin.to_string()),
                version,
                problem,
            }
        })
        .collect()
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    line(&mut text, "sortsmith", report.sortsmith);
    match (&report.driver, &report.no_driver) {
        (Some(driver), _) => {
            line(&mut text, "driver", &format!("CUDA {}", driver.version));
            for (ordinal, device) in driver.devices.iter().enumerate() {
                let gib = device.memory_bytes >> 30;
                line(
                    &mut text,
                    &format!("device {ordinal}"),
                    &format!("{}, {}, {gib} GiB", device.name, device.arch),
                );
            }
            if let Some(problem) = &driver.problem {
                line(&mut text, "devices", &format!("none: {problem}"));
            }
        }
        (None, reason) => {
            line(&mut text, "driver", &format!("none: {}", reason.as_deref().unwrap_or_default()));
        }
    }
    for tool in &report.tools {
        line(&mut text, tool.name, &tool_words(tool));
    }
    let none = || "none".to_owned();
    let dirs: Vec<String> =
        report.include_dirs.iter().map(|dir| dir.display().to_string()).collect();
    line(&mut text, "headers", &if dirs.is_empty() { none() } else { dirs.join(", ") });
    line(
        &mut text,
        "CUB",
        &report.cccl_include.as_ref().map_or_else(none, |dir| dir.display().to_string()),
    );
    let cache = report.cache.as_ref().map_or_else(none, |dir| dir.display().to_string());
    let problem = report.cache_problem.as_ref().map(|problem| format!(": {problem}"));
    line(&mut text, "cache", &(cache + &problem.unwrap_or_default()));
    text
}

fn tool_words(tool: &Tool) -> String {
    let Some(path) = &tool.path else { return "none".to_owned() };
    let mut words = String::new();
    if let Some(version) = &tool.version {
        let _ = write!(words, "{version}, ");
    }
    let _ = write!(words, "{} ({})", path.display(), tool.found_by.as_deref().unwrap_or_default());
    if let Some(problem) = &tool.problem {
        let _ = write!(words, ": {problem}");
    }
    words
}

fn line(text: &mut String, label: &str, words: &str) {
    let _ = writeln!(text, "{label:<17} {words}");
}
