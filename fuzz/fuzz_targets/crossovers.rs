#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (sortsmith_fuzz_targets::crossovers::TARGET.run)(data));
