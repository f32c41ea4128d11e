//! The families of device-wide sorts: the enum that the table `device_families!` of `device` makes.

macro_rules! device_algorithm {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$option_doc:meta])* $option:ident,)* })? $name:ident $word:literal $family:path;
    )*) => {
        /// How an array is sorted device-wide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum DeviceAlgorithm {
            $($(#[$doc])* $variant $({ $($(#[$option_doc])* $option: bool,)* })?,)*
        }

        impl DeviceAlgorithm {
            /// All, without options.
            pub const ALL: [Self; [$($word),*].len()] =
                [$(Self::$variant $({ $($option: false),* })?),*];

            /// The word for it on the command line and in reports.
            pub const fn token(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => concat!("device-", $word),)*
                }
            }

            /// The word for it in reports of shapes.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $word,)*
                }
            }

            /// What the names of its specs begin with, before the key.
            pub const fn prefix(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($name),)*
                }
            }

            /// The same with each option as the function of its name and its value says, in the order of names.
            pub(crate) fn map_options(self, mut map: impl FnMut(&'static str, bool) -> bool) -> Self {
                match self {
                    $(
                        Self::$variant $({ $($option),* })? => Self::$variant $({
                            $($option: map(stringify!($option), $option)),*
                        })?,
                    )*
                }
            }
        }
    };
}
crate::device_families!(device_algorithm);

impl DeviceAlgorithm {
    /// The names of the options that are chosen.
    pub(crate) fn chosen_options(self) -> Vec<&'static str> {
        let mut chosen = Vec::new();
        self.map_options(|name, is_chosen| {
            chosen.extend(is_chosen.then_some(name));
            is_chosen
        });
        chosen
    }

    /// The names of all its options.
    pub(crate) fn options(self) -> Vec<&'static str> {
        self.map_options(|_, _| true).chosen_options()
    }
}
