//! How far a sort in runs has come.

use std::ops::ControlFlow;

use crate::error::Error;

/// How far a sort in runs has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// What is being done.
    pub stage: RunStage,
    /// The items that this has been done with.
    pub done: usize,
    /// All items.
    pub items: usize,
}

/// The stages of a sort in runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunStage {
    /// The runs are sorted.
    Sort,
    /// The runs are merged.
    Merge,
}

/// What is called after each part of the work.
pub type Callback<'a> = Box<dyn FnMut(RunProgress) -> ControlFlow<()> + 'a>;

/// How far a stage has come.
pub struct Reached<'c, 'a> {
    callback: &'c mut Callback<'a>,
    progress: RunProgress,
}

impl<'c, 'a> Reached<'c, 'a> {
    /// The beginning of a stage.
    pub fn new(callback: &'c mut Callback<'a>, stage: RunStage, items: usize) -> Self {
        Self { callback, progress: RunProgress { stage, done: 0, items } }
    }

    /// Says that this has been done with more items.
    pub fn add(&mut self, items: usize) -> Result<(), Error> {
        self.progress.done += items;
        match (self.callback)(self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Interrupted),
        }
    }
}
