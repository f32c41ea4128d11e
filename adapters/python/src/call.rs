//! The arguments of a call of Python, described, and how the call runs: without the GIL.

use pyo3::prelude::*;
use sortsmith::Sorter;

use crate::current::current_stream;
use crate::describe::Argument;
use crate::described::{Described, Lifetime, Location};
use crate::device;
use crate::errors::{exception, value, wrong_type};
use crate::hold;
use crate::memory::Host;
use crate::sorts::Task;

/// Described arguments of a call, in the order in which they were given, and where it runs.
pub struct Call {
    location: Location,
    stream: usize,
    arrays: Vec<Option<Described>>,
}

/// An argument, if it was given.
pub type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl Call {
    /// Describes the arguments; the first is required. They lie in one location.
    pub fn new<'py>(
        arguments: &[(&'static str, Object<'_, 'py>)],
        stream: Object<'_, 'py>,
    ) -> PyResult<Self> {
        hold::let_go();
        let known = arguments
            .iter()
            .map(|(name, object)| object.map(|object| Argument::new(name, object)).transpose());
        let known: Vec<Option<Argument<'py>>> = known.collect::<PyResult<_>>()?;
        let Some(first) = known.iter().flatten().next() else {
            return Err(wrong_type("keys", "is None; legal: an array"));
        };
        let location = first.location;
        let stream = match location {
            Location::Host if stream.is_some() => {
                return Err(value(
                    "stream",
                    "is for arrays on a device, and keys is on the host; legal: None",
                ));
            }
            Location::Host => None,
            Location::Device(ordinal) => {
                Some(current_stream(known.iter().flatten(), ordinal, stream)?)
            }
        };
        let mut arrays = Vec::with_capacity(known.len());
        for argument in &known {
            let described = argument.as_ref().map(|it| it.describe(stream)).transpose()?;
            arrays.push(described);
        }
        one_location(&arrays)?;
        Ok(Self { location, stream: stream.unwrap_or(0), arrays })
    }

    /// An argument, by its number, if it was given.
    pub fn get(&self, index: usize) -> Option<&Described> {
        self.arrays.get(index).and_then(Option::as_ref)
    }

    /// The same of one that has to be given.
    pub fn require(&self, index: usize, name: &str) -> PyResult<&Described> {
        self.get(index).ok_or_else(|| wrong_type(name, "is None; legal: an array"))
    }

    /// Runs the task without the GIL. Its spans are these arguments'.
    pub fn run(self, py: Python<'_>, task: impl Task) -> PyResult<()> {
        let (location, stream) = (self.location, self.stream);
        // The spans are of described arrays, checked to be aligned, and apart where they are written. Their owners live until this returns, and
        // longer where a device may still use them. That no other thread writes them meanwhile is what the documentation requires of every
        // caller, as NumPy's own functions do.
        let done = py.detach(|| match location {
            Location::Host => {
                // SAFETY: as above, for arrays on the host.
                let done = unsafe { task.run(&Host(Sorter::host())) };
                done.map_err(|error| exception(&error))
            }
            Location::Device(ordinal) => device::in_order_of(ordinal, stream, |memory| {
                // SAFETY: as above, for arrays on this device.
                unsafe { task.run(memory) }
            }),
        });
        if let Location::Device(ordinal) = location {
            let owners = self.arrays.into_iter().flatten().filter_map(|it| match it.lifetime {
                Lifetime::Work(owner) => Some(owner),
                Lifetime::Call(_) => None,
            });
            let owners = owners.collect();
            // The error of the sort says more.
            return done.and(hold::until_done(ordinal, stream, owners));
        }
        done
    }
}

/// An error unless all arrays are in one location.
fn one_location(arrays: &[Option<Described>]) -> PyResult<()> {
    let mut known = arrays.iter().flatten();
    let Some(first) = known.next() else { return Ok(()) };
    let name = |location| match location {
        Location::Host => "on the host".to_owned(),
        Location::Device(ordinal) => format!("on CUDA device {ordinal}"),
    };
    if let Some(other) = known.find(|other| other.location != first.location) {
        let [there, here] = [name(other.location), name(first.location)];
        let problem = format!("is {there}; legal: {here}, where {} is", first.argument);
        return Err(value(other.argument, problem));
    }
    Ok(())
}
