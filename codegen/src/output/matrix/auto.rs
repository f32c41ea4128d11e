//! Combinations that name no algorithm.

use super::{Axes, AxesError, multiply};
use crate::contract::spec::SortSpec;
use crate::select::tiles::{TileChoice, TileSort};
use crate::types::{Block, KeyType};

/// A spec of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Selected {
    /// The spec.
    pub spec: SortSpec,
    /// Why it is this one, where no algorithm was named.
    pub choice: Option<Box<TileChoice>>,
}

pub(super) fn choose(sort: TileSort) -> Result<Selected, AxesError> {
    match sort.choose() {
        Ok(choice) => Ok(Selected { spec: choice.spec(), choice: Some(Box::new(choice)) }),
        Err(error) => Err(AxesError::NoChoice { sort: Box::new(sort), error }),
    }
}

impl Axes {
    /// Every combination that a sort is chosen for.
    pub(super) fn requests(&self) -> Vec<TileSort> {
        let first = TileSort::keys(KeyType::U32, Block::linear(0), 0);
        let bits: Vec<_> = self.bits.iter().map(|span| Some(span.0)).collect();
        let all = multiply(vec![first], &self.key, |it, key| TileSort { key, ..it });
        let all = multiply(all, &self.value, |it, value| TileSort { value, ..it });
        let all = multiply(all, &self.block, |it, block| TileSort { block, ..it });
        let all = multiply(all, &bits, |it, bits| TileSort { bits, ..it });
        let all = multiply(all, &self.stable, |it, stable| TileSort { stable, ..it });
        let all = multiply(all, &self.items, |it, items| TileSort { items, ..it });
        let all = multiply(all, &self.order, |it, order| TileSort { order, ..it });
        let all = multiply(all, &self.input, |it, input| TileSort { input, ..it });
        let all = multiply(all, &self.output, |it, output| TileSort { output, ..it });
        multiply(all, &self.arch, |it, arch| TileSort { arch, ..it })
    }
}
