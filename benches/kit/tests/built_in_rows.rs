//! Where the built-in rows say that they come from is in the records.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::fs;
use std::path::Path;

use sortsmith_benchkit::{
    Cache, Contender, Group, Input, Library, Method, Record, Row, Shape, Types,
};
use sortsmith_codegen::device::{Provenance, built_in_rows};
use sortsmith_codegen::rows::{ROW_RECORDS, RowFigure, RowRecord, RowTile};
use sortsmith_codegen::tiles::{MEASURED_METHODS, RECORDS, TileMethod, TileRecord, TileRow};
use sortsmith_codegen::{LaneMatch, Order, Rank, ValueType};

/// The record of a GPU with this name in its folder.
fn record(gpu: &str, name: &str) -> Record {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record");
    let files = fs::read_dir(folders).unwrap().flatten().map(|folder| folder.path());
    let records = files.map(|folder| folder.join(name));
    let mut records = records.filter(|file| file.exists()).map(|file| Record::read(&file).unwrap());
    records.find(|record| record.head.gpu == gpu).unwrap()
}

#[test]
fn ratios_are_those_of_the_records() {
    let mut found = 0;
    for row in built_in_rows() {
        let Some(Provenance { gpu, date, types, n, ratio }) = row.measured else { continue };
        let record = record(gpu, &format!("{date}-device.csv"));
        let rate = |library: Library| {
            let of_case = record.rows.iter().filter(|row| {
                let case = row.id.case;
                let kind = (case.group, case.input, case.cache);
                let kind = kind == (Group::Device, Input::Random, Cache::Warm);
                kind && case.types.to_string() == types && case.n == n
            });
            let of_library = of_case.filter(|row| row.id.contender.library == library);
            of_library.map(|row| row.gkeys).reduce(f64::max).unwrap()
        };
        let recorded = rate(Library::Sortsmith) / rate(Library::Cub);
        assert!((recorded - ratio).abs() < 0.005, "{row:?}: {recorded}");
        assert!(n <= row.most_items, "{row:?}");
        found += 1;
    }
    assert!(found >= built_in_rows().count() / 2, "{found} rows were measured");
}

/// The row of a table that a record's tiles of these types and this shape make.
fn row_of_record(record: &Record, types: Types, shape: Shape) -> TileRow {
    let of_tiles = record.rows.iter().filter(|row| {
        let case = row.id.case;
        let kind = (case.group, case.input, case.order, case.cache);
        kind == (Group::Tiles, Input::Random, Order::Ascending, Cache::Warm)
            && (case.types, case.shape) == (types, Some(shape))
    });
    let (own, peers): (Vec<&Row>, Vec<&Row>) =
        of_tiles.partition(|row| row.id.contender.library == Library::Sortsmith);
    let of_method = |method: &TileMethod| {
        let (method, radix_bits) = match *method {
            TileMethod::Bitonic { stable: false } => (Method::Bitonic, None),
            TileMethod::Bitonic { stable: true } => (Method::StableBitonic, None),
            TileMethod::Merge => (Method::Merge, None),
            TileMethod::Radix { rank, radix_bits } => {
                let method = match rank {
                    Rank::Packed { .. } => Method::Packed,
                    Rank::Match(LaneMatch::Ballots) => Method::Ballots,
                    Rank::Match(LaneMatch::SharedMasks) => Method::Masks,
                    _ => panic!("no record is of {rank:?}"),
                };
                (method, Some(radix_bits))
            }
            _ => panic!("no record is of {method:?}"),
        };
        let contender = Contender { library: Library::Sortsmith, method, radix_bits };
        own.iter().find(|row| row.id.contender == contender).map(|row| row.gkeys)
    };
    let Shape { threads, items } = shape;
    TileRow {
        key: types.key,
        value: types.value,
        threads,
        items,
        gkeys: MEASURED_METHODS.each_ref().map(of_method),
        cub: peers.iter().map(|row| row.gkeys).reduce(f64::max),
    }
}

#[test]
fn figures_of_tiles_are_those_of_the_records() {
    for TileRecord { gpu, arch, date, rows } in RECORDS {
        let record = record(gpu, &format!("{date}-tiles.csv"));
        assert_eq!(record.head.arch, Some(*arch));
        let shapes =
            record.rows.iter().filter_map(|row| Some((row.id.case.types, row.id.case.shape?)));
        // The other ones are of logical warps.
        let mut blocks: Vec<_> = shapes.filter(|(_, shape)| shape.threads > 32).collect();
        blocks.dedup();
        // A shape of which one way to sort was measured says nothing of which is the fastest.
        let recorded = blocks
            .iter()
            .map(|(types, shape)| row_of_record(&record, *types, *shape))
            .filter(|row| row.gkeys.iter().flatten().count() > 1);
        let lines = |rows: &[TileRow]| {
            rows.iter().map(|row| format!("    {row}")).collect::<Vec<_>>().join("\n")
        };
        let (recorded, table) = (lines(&recorded.collect::<Vec<_>>()), lines(rows));
        assert!(recorded == table, "the table of {gpu} is not its record's, which is:\n{recorded}");
    }
}

#[test]
fn figures_of_rows_are_those_of_the_records() {
    for RowRecord { gpu, date, key, value, figures } in ROW_RECORDS {
        let record = record(gpu, &format!("row-tiles/{date}.csv"));
        let types = match value {
            ValueType::None => Types::keys(key),
            value => Types::pairs(key, value),
        };
        let of_types = record.rows.iter().filter(|row| row.id.case.types == types);
        let figure = |row: &Row| {
            let Shape { threads, items } = row.id.case.shape.unwrap();
            let tile = match row.id.contender.method {
                Method::Warp => RowTile::Warp,
                Method::StableBitonic => RowTile::Network,
                Method::Merge => RowTile::Merge,
                method => panic!("no sort of rows is by {method:?}"),
            };
            RowFigure { tile, threads, items, gkeys: row.gkeys }
        };
        let mut recorded: Vec<RowFigure> = of_types.map(figure).collect();
        recorded.sort_by_key(|it| (it.threads * it.items, it.threads));
        let lines = |figures: &[RowFigure]| {
            figures.iter().map(|it| format!("    {it}")).collect::<Vec<_>>().join("\n")
        };
        let (recorded, table) = (lines(&recorded), lines(figures));
        assert!(recorded == table, "the record of {types} has:\n{recorded}");
    }
}
