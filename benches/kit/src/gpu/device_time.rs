//! Device time for criterion.

use std::sync::Arc;

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaStream};

/// The time between two events on a stream, in nanoseconds.
#[derive(Clone)]
pub struct DeviceTime {
    stream: Arc<CudaStream>,
}

impl DeviceTime {
    /// Of what is enqueued on a stream.
    pub fn on(stream: &Arc<CudaStream>) -> Self {
        Self { stream: Arc::clone(stream) }
    }
}

/// As events give times, and as criterion takes them.
pub fn nanoseconds(milliseconds: f64) -> f64 {
    1e6 * milliseconds
}

impl Measurement for DeviceTime {
    type Intermediate = CudaEvent;
    type Value = f64;

    // Criterion has no way to return an error; an event that cannot be recorded means that the device is lost.
    fn start(&self) -> CudaEvent {
        let event = self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        event.expect("the stream takes an event")
    }

    fn end(&self, start: CudaEvent) -> f64 {
        let milliseconds = start.elapsed_ms(&self.start());
        nanoseconds(f64::from(milliseconds.expect("both events are recorded")))
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Formatter
    }
}

/// Times, and keys a second.
struct Formatter;

/// Units with what a nanosecond is of them, the shortest first.
const UNITS: [(&str, f64); 3] = [("µs", 1e-3), ("ms", 1e-6), ("s", 1e-9)];

impl ValueFormatter for Formatter {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let fits = |(_, factor): &&(&str, f64)| typical * factor < 1000.0;
        let (unit, factor) = UNITS.iter().find(fits).unwrap_or(&UNITS[2]);
        for value in values {
            *value *= factor;
        }
        unit
    }

    fn scale_throughputs(
        &self,
        _: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        // The benches count keys: one in a nanosecond is a billion a second.
        let (count, unit) = match throughput {
            Throughput::Elements(keys) => (*keys, "Gkeys/s"),
            Throughput::Bits(bits) => (*bits, "Gbit/s"),
            Throughput::Bytes(bytes)
            | Throughput::BytesDecimal(bytes)
            | Throughput::ElementsAndBytes { bytes, .. } => (*bytes, "GB/s"),
        };
        for value in values {
            *value = count as f64 / *value;
        }
        unit
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_keys_are_counted_by_the_second() {
        let time = |ns| Formatter.format_value(ns).trim().to_owned();
        assert_eq!(time(12_420.0), "12.420 µs");
        assert_eq!(time(4_143_300.0), "4.1433 ms");
        assert_eq!(time(2e9), "2.0000 s");
        let keys = Throughput::Elements(1 << 28);
        assert_eq!(Formatter.format_throughput(&keys, 3_334_000.0).trim(), "80.515 Gkeys/s");
    }
}
