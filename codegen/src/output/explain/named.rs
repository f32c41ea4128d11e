//! What works on arrays, in figures.

use serde::Serialize;

use crate::contract::explain::Line;
use crate::contract::figures::{Request, RequestError};
use crate::registry::Named;

use super::figures::NamedFigures;

/// All that is known of a spec on arrays, for an array and a device.
///
/// ```
/// use sortsmith_codegen::explain::{NamedExplanation, NamedFigures, Request};
/// use sortsmith_codegen::{Arch, registry::Named};
///
/// let request = Request { n: Some(1000), ..Request::on(Arch::SM_90) };
/// let spec: Named = "gather_b12_w4".parse().unwrap();
/// let explanation = NamedExplanation::of(&spec, &request).unwrap();
/// let NamedFigures::Gather(gather) = explanation.figures else { panic!("another family") };
/// assert_eq!(gather.copy_bytes, 12_000);
///
/// let request = Request { multiprocessors: Some(132), ..request };
/// let error = NamedExplanation::of(&spec, &request).unwrap_err();
/// assert_eq!(error.to_string(), "multiprocessors is given with gather_b12_w4; legal: with sorts");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedExplanation {
    /// What the specs of its family do and take.
    #[serde(flatten)]
    pub figures: NamedFigures,
    /// The same for people, behind the spec's name.
    #[serde(skip)]
    pub lines: Vec<Line>,
}

impl NamedExplanation {
    /// Explains a spec, if its family takes what the request says.
    pub fn of(spec: &Named, request: &Request) -> Result<Self, RequestError> {
        let (figures, lines) = NamedFigures::of(spec, request)?;
        Ok(Self { figures, lines })
    }
}
