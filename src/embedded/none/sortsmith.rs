// A bundle as of a build without NVRTC.
Bundle::new("0.0.0", &[])
