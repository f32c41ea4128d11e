//! Which family and shape sorts what: by block for tiles, by array for a device, by what was measured.

mod array_sort;
pub mod dispatch;
pub mod rows;
pub mod tiles;
pub mod tuning;
