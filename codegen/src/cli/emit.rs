//! `sortsmith emit`.

use std::fmt::Write as _;
use std::path::Path;

use sortsmith_codegen::emit::{self, Extras, Header, Named, folder};
use sortsmith_codegen::matrix::{Axes, Axis, file};
use sortsmith_codegen::render::{self, DeviceFacade, RowsFacade, SegmentedFacade, TopKFacade};
use sortsmith_codegen::tiles::TileChoice;
use sortsmith_codegen::{Arch, NameError, OneLine, Order, SortSpec, Token as _, ValueType};

use super::args::{AxisArgs, EmitArgs, Facade, OrderArg};
use super::failure::Failure;
use super::{output, progress};

/// Headers, and the reasons for those that were chosen.
type Made = (Vec<Header>, Vec<TileChoice>);

pub fn run(args: &EmitArgs) -> Result<(), Failure> {
    if args.out.is_none() && !args.stdout {
        return Err(Failure::request("nowhere to write to; legal: --out DIR or --stdout"));
    }
    match args.facade {
        Some(Facade::Cub) if args.stdout => {
            return Err(Failure::request(
                "--facade cub is given with --stdout, but stands beside its headers; legal: --out DIR",
            ));
        }
        Some(Facade::Cub) | None => {}
        Some(facade) => return array_facade(args, facade),
    }
    let (array_names, names): (Vec<&String>, Vec<&String>) =
        args.name.iter().partition(|name| Named::claims(name));
    let array_files = array_files(&array_names, args)?;
    let (headers, choices) = if names.is_empty() && !array_files.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        headers(args, &names)?
    };
    let extras = Extras { index: args.matrix.is_some(), facade: args.facade == Some(Facade::Cub) };
    let bar = progress::bar("rendering", headers.len());
    let files = emit::files(&headers, extras, |_| bar.inc(1));
    bar.finish_and_clear();
    put(&[files?, array_files].concat(), args)?;
    for choice in choices.iter().filter(|_| !args.check) {
        output::note(&format!("chosen: {}: {}", choice.spec(), choice.reason()));
    }
    Ok(())
}

/// Writes the files, compares them with those that there are, or prints them.
fn put(files: &[emit::File], args: &EmitArgs) -> Result<(), Failure> {
    let Some(dir) = &args.out else {
        return files.iter().try_for_each(|file| output::print(&file.text));
    };
    let scope = if args.matrix.is_some() { folder::Scope::Folder } else { folder::Scope::Files };
    let survey = folder::Survey::of(dir, files, scope)?;
    if args.check { check(dir, &survey) } else { write(dir, files, &survey, args) }
}

/// The axes of a facade of sorts of arrays, without dashes; all but `arch` are those of each.
const ARRAY_AXES: [&str; 4] = ["key", "value", "order", "arch"];

/// What a facade takes for every architecture.
const OF_ARRAYS: &str = "legal: --key, --value and --order";

/// The header with the functions of CUB's sorts of arrays or of segments, or of its top-k, or with sorts of rows.
fn array_facade(args: &EmitArgs, facade: Facade) -> Result<(), Failure> {
    let word = facade.token();
    let (legal_axes, legal) = match facade {
        Facade::CubDevice | Facade::CubRows => {
            (&ARRAY_AXES[..], "legal: --key, --value, --order and --arch")
        }
        Facade::CubSegmented | Facade::CubTopK | Facade::Cub => (&ARRAY_AXES[..3], OF_ARRAYS),
    };
    let contents = [
        ("--name", !args.name.is_empty()),
        ("--matrix", args.matrix.is_some()),
        ("--tile-kernel", args.tile_kernel),
        ("--rows-kernel", args.rows_kernel),
        ("--counted-rows-kernel", args.counted_rows_kernel),
    ];
    let axes = axes(&args.axes);
    let other = axes.given().map(Axis::name).find(|name| !legal_axes.contains(name));
    let other = other.map(|name| format!("--{}", name.replace('_', "-")));
    let content = contents.iter().find(|(_, given)| *given).map(|(flag, _)| (*flag).to_owned());
    if let Some(flag) = other.or(content) {
        return Err(Failure::request(format!("{flag} is given with --facade {word}; {legal}")));
    }
    let key = args.axes.key.ok_or_else(|| {
        Failure::request(format!("--facade {word} is given without --key; {legal}"))
    })?;
    let orders = match axes.order[..] {
        [] => vec![Order::Ascending, Order::Descending],
        _ => axes.order,
    };
    let value = args.axes.value.unwrap_or(ValueType::None);
    let arch = args.axes.arch.unwrap_or(Arch::SM_90);
    let (name, text) = match facade {
        Facade::CubSegmented => {
            let facade = SegmentedFacade { key, value, orders };
            (render::SEGMENTED_FACADE_FILE, facade.header())
        }
        Facade::CubTopK => (render::TOP_K_FACADE_FILE, TopKFacade { key, value, orders }.header()),
        Facade::CubRows => {
            let facade = RowsFacade { key, value, orders, arch };
            (render::ROWS_FACADE_FILE, facade.header())
        }
        Facade::CubDevice | Facade::Cub => {
            let facade = DeviceFacade { key, value, orders, arch };
            (render::DEVICE_FACADE_FILE, facade.header())
        }
    };
    let text = text.map_err(emit::EmitError::from)?;
    put(&[emit::File { name: name.to_owned(), text }], args)
}

/// The headers of a matrix file, or of the default matrix where the path is `default`; and what was chosen.
pub fn read_matrix(path: &Path) -> Result<Made, Failure> {
    let text = if path == Path::new("default") {
        file::DEFAULT.to_owned()
    } else {
        std::fs::read_to_string(path).map_err(|error| {
            Failure::request(format!("cannot read the matrix {}: {error}", path.display()))
        })?
    };
    file::parse_with_choices(&text)
        .map_err(|error| Failure::request(format!("matrix {}: {error}", path.display())))
}

/// The headers of specs on arrays, which are requested by name.
fn array_files(names: &[&String], args: &EmitArgs) -> Result<Vec<emit::File>, Failure> {
    let flag = [
        ("--tile-kernel", args.tile_kernel),
        ("--rows-kernel", args.rows_kernel),
        ("--counted-rows-kernel", args.counted_rows_kernel),
        ("--facade", args.facade.is_some()),
    ];
    if let (Some(name), Some((flag, _))) = (names.first(), flag.iter().find(|(_, given)| *given)) {
        return Err(Failure::request(format!(
            "{flag} is given with {name}, which is device-wide; legal: {flag} with block sorts"
        )));
    }
    names.iter().map(|name| Ok(name.parse::<Named>()?.file()?)).collect()
}

fn headers(args: &EmitArgs, names: &[&String]) -> Result<Made, Failure> {
    let options = render::Options {
        tile_kernel: args.tile_kernel,
        rows_kernel: args.rows_kernel,
        counted_rows_kernel: args.counted_rows_kernel,
        ..render::Options::default()
    };
    let with_options = |spec| Header { spec, options };
    let axes = axes(&args.axes);
    let says_all = if args.matrix.is_some() { "--matrix" } else { "--name" };
    let has_other = args.matrix.is_some() || !args.name.is_empty();
    if let Some(axis) = axes.given().next().filter(|_| has_other) {
        let flag = axis.name().replace('_', "-");
        return Err(Failure::request(format!(
            "--{flag} is given beside {says_all}, which says the specs; legal: one or the other"
        )));
    }
    if let Some(path) = &args.matrix {
        let (mut headers, choices) = read_matrix(path)?;
        for header in &mut headers {
            header.options = header.options.or(options);
        }
        Ok((headers, choices))
    } else if args.name.is_empty() {
        if axes.algorithm.is_empty() {
            return Err(Failure::request(
                "no spec is given; legal: --algorithm and its axes, --name or --matrix",
            ));
        }
        let selected = axes.selected()?;
        let headers = selected.iter().map(|it| with_options(it.spec)).collect();
        let choices = selected.into_iter().filter_map(|it| it.choice.map(|choice| *choice));
        Ok((headers, choices.collect()))
    } else {
        let specs =
            names.iter().map(|name| name.parse()).collect::<Result<Vec<SortSpec>, NameError>>()?;
        Ok((emit::unique(specs.into_iter().map(with_options)), Vec::new()))
    }
}

/// The axes that are given as flags.
pub fn axes(args: &AxisArgs) -> Axes {
    Axes {
        algorithm: args.algorithm.into_iter().collect(),
        key: args.key.into_iter().collect(),
        value: args.value.into_iter().collect(),
        block: args.block.into_iter().collect(),
        lanes: args.lanes.into_iter().collect(),
        items: args.items.into_iter().collect(),
        radix_bits: args.radix_bits.into_iter().collect(),
        order: match args.order {
            None => Vec::new(),
            Some(OrderArg::Asc) => vec![Order::Ascending],
            Some(OrderArg::Desc) => vec![Order::Descending],
            Some(OrderArg::Both) => vec![Order::Ascending, Order::Descending],
        },
        rank: args.rank.into_iter().collect(),
        memoize: args.no_memoize.then_some(false).into_iter().collect(),
        inner_scan: args.inner_scan.into_iter().collect(),
        bits: args.bits.into_iter().collect(),
        stable: args.stable.then_some(true).into_iter().collect(),
        input: args.input.into_iter().collect(),
        output: args.output.into_iter().collect(),
        arch: args.arch.into_iter().collect(),
        skip_illegal: false,
    }
}

fn check(dir: &Path, survey: &folder::Survey) -> Result<(), Failure> {
    if survey.is_current() {
        return Ok(());
    }
    let mut list = String::new();
    let mut counts = Vec::new();
    for state in [
        folder::State::Stale,
        folder::State::Missing,
        folder::State::Foreign,
        folder::State::LeftOver,
    ] {
        for name in survey.in_state(state) {
            let _ = writeln!(list, "{:<10} {}", state.word(), OneLine(name));
        }
        let count = survey.count(state);
        counts.extend((count > 0).then(|| format!("{count} {}", state.word())));
    }
    output::print(&list)?;
    let dir = dir.display();
    let counts = counts.join(", ");
    let command = making_command();
    Err(Failure::Check(format!("{dir} is not what would be made now: {counts}; run: {command}")))
}

/// The command of this process without `--check`.
fn making_command() -> String {
    let words = std::env::args_os().skip(1).filter(|word| word != "--check");
    let quoted = words.map(|word| {
        let word = word.to_string_lossy().into_owned();
        if word.contains(char::is_whitespace) { format!("'{word}'") } else { word }
    });
    format!("sortsmith {}", quoted.collect::<Vec<_>>().join(" "))
}

fn write(
    dir: &Path,
    files: &[emit::File],
    survey: &folder::Survey,
    args: &EmitArgs,
) -> Result<(), Failure> {
    // A matrix says of each header which kernels it has; flags are forgotten.
    let may_lose = args.matrix.is_some() || args.force;
    let lost = if may_lose { None } else { folder::lost_kernel(dir, files, survey)? };
    if let Some((name, flag)) = lost {
        return Err(Failure::request(format!(
            "{} has a kernel of {flag}, which this request takes out; legal: {flag}, or --force",
            dir.join(name).display()
        )));
    }
    let bar = progress::bar("writing", files.len());
    let written = folder::write(dir, files, survey, args.force, |_| bar.inc(1));
    bar.finish_and_clear();
    let written = written?;
    let mut line = format!("{}: {} files, {written} written", dir.display(), files.len());
    let left_over = survey.count(folder::State::LeftOver);
    if args.prune {
        let pruned = folder::prune(dir, survey)?;
        let _ = write!(line, ", {pruned} deleted");
    } else if left_over > 0 {
        let _ = write!(line, ", {left_over} left over (--prune deletes them)");
    }
    output::note(&line);
    Ok(())
}
