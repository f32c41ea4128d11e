//! Finds the fastest shapes of sortsmith's device-wide sorts on a GPU, and keeps them where its sorters look for them.
//!
//! The program `sortsmith-tune` is what people use, as `sortsmith tune`; docs/tuning.md says what it does. Here is what it is
//! made of:
//!
//! | module | what |
//! |---|---|
//! | [`mod@bench`] | what can be measured of sorts: a trait, so that a search can be tried where there is no GPU |
//! | [`search`] | one case: successive halving, and a final beside the built-in shape |
//! | [`run`] | all cases, within a budget, into a file that is complete at any moment |
//! | [`gpu`] | the measuring itself |
//! | [`compile`] | kernels made by other processes beforehand |
//! | [`request`] | what the command line asks for |
//! | [`report`] | what was found, for people |
//! | [`cli`] | the program |

pub mod bench;
pub mod cli;
pub mod compile;
pub mod gpu;

pub mod report;
pub mod request;
pub mod run;
pub mod search;
