//! `sortsmith explain --columns`: which sort is chosen for rows.

use sortsmith_codegen::explain::RowsExplanation;
use sortsmith_codegen::matrix::Axis;
use sortsmith_codegen::rows::{RowChoice, RowSort};
use sortsmith_codegen::{Order, ValueType};

use super::super::args::{ExplainArgs, OrderArg};
use super::super::emit;
use super::super::failure::Failure;
use super::line;

/// What is chosen for rows of a number of columns.
pub fn choice(args: &ExplainArgs, columns: u64) -> Result<RowChoice, Failure> {
    let legal = [Axis::Key, Axis::Value, Axis::Order, Axis::Bits, Axis::Arch, Axis::Stable];
    if let Some(axis) = emit::axes(&args.axes).given().find(|axis| !legal.contains(axis)) {
        let flag = axis.name().replace('_', "-");
        return Err(Failure::request(format!(
            "--{flag} is given with --columns, which chooses the sort; legal: one or the other"
        )));
    }
    let Some(key) = args.axes.key else {
        return Err(Failure::request("--columns is given without --key; legal: both"));
    };
    if !key.is_scalar() {
        return Err(Failure::request(format!(
            "--key {key} is given with --columns, and sorts of rows take no structs as keys; legal: scalars"
        )));
    }
    let order = match args.axes.order {
        None | Some(OrderArg::Asc) => Order::Ascending,
        Some(OrderArg::Desc) => Order::Descending,
        Some(OrderArg::Both) => {
            return Err(Failure::request("--order both is given with --columns; legal: asc, desc"));
        }
    };
    let sort = RowSort::pairs(key, args.axes.value.unwrap_or(ValueType::None));
    let sort = sort.order(order).on(args.arch());
    let sort = if args.axes.bits.is_some() { sort.by_bits() } else { sort };
    sort.choose(columns).ok_or_else(|| {
        let most = sort.table().last().map_or(0, |(most, _)| *most);
        Failure::request(format!(
            "--columns {columns} is more than any sort of rows of such keys on {} holds; legal: 0 to {most}: longer rows are \
             sorted one after the other, as arrays",
            sort.arch
        ))
    })
}

/// The choice, before what is chosen is explained.
pub fn text(explanation: &RowsExplanation) -> String {
    let RowsExplanation { request, arch, chosen, others, .. } = explanation;
    let mut text = format!("{request}; on {arch}\n");
    // A device-wide sort of rows has that in its name.
    let kernel = if chosen.tile_items.is_some() { "_rows" } else { "" };
    line(&mut text, "chosen", &format!("{}{kernel}", chosen.spec));
    let mut label = "figures";
    for candidate in [chosen].into_iter().chain(others) {
        let (gkeys, full, spec) = (candidate.gkeys, candidate.full_gkeys, &candidate.spec);
        let how = candidate.tile_items.map_or_else(
            || "all rows in the same launches".to_owned(),
            |tile| format!("{full:.1} in tiles of {tile}"),
        );
        let words = format!("{gkeys:>6.1}  {spec}: {how}");
        line(&mut text, label, &words);
        label = "";
    }
    text.push('\n');
    text
}
