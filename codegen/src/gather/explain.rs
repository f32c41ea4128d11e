//! What `explain` says of gathers.

use serde::Serialize;

use super::GatherSpec;
use crate::contract::explain::Lines;
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};

/// A gather of a number of items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GatherFigures {
    /// The spec's name.
    pub name: String,
    /// Bytes of an item.
    pub item_bytes: u32,
    /// Bytes of the words that it is moved in.
    pub word_bytes: u32,
    /// Items.
    pub n: u64,
    /// What the host launches; nothing for no items.
    pub launch: Option<LaunchRow>,
    /// Bytes of the copy that the runtime gathers from.
    pub copy_bytes: u64,
}

impl GatherFigures {
    /// Of the gather of n items.
    pub fn of(spec: GatherSpec, n: u64) -> Self {
        let launch = spec.launch(n).map(|launch| LaunchRow {
            symbol: spec.symbol(),
            argument: None,
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: 0,
        });
        Self {
            name: spec.to_string(),
            item_bytes: spec.item_bytes(),
            word_bytes: spec.word_bytes(),
            n,
            launch,
            copy_bytes: n.saturating_mul(u64::from(spec.item_bytes())),
        }
    }
}

impl Explain for GatherSpec {
    type Figures = GatherFigures;

    const SETTINGS: &'static [Setting] = &[];

    const LEGAL_ELSEWHERE: &'static str = "with sorts";

    fn figures(&self, case: &Case) -> Result<GatherFigures, RequestError> {
        Ok(GatherFigures::of(*self, case.n))
    }

    fn lines(&self, figures: &GatherFigures) -> Lines {
        let GatherFigures { item_bytes, word_bytes, n, launch, copy_bytes, .. } = figures;
        let mut lines = Lines::default();
        let items =
            format!("items of {item_bytes} bytes in words of {word_bytes}, by 32-bit positions");
        lines.add("gathers", &items);
        lines.add("launches", &format!("of {n} items: {}", usize::from(launch.is_some())));
        lines.add_launches(self, launch);
        let scratch = format!("{copy_bytes} bytes: the copy that items are gathered from");
        lines.add("scratch", &scratch);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_items_are_no_launch() {
        let spec: GatherSpec = "gather_b12_w4".parse().unwrap();
        assert_eq!(GatherFigures::of(spec, 0).launch, None);
        assert_eq!(GatherFigures::of(spec, 1000).copy_bytes, 12_000);
    }
}
