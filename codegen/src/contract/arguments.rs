//! The arguments of kernels: a table for each list of them, from which come the host's struct, the struct or the parameters in the
//! header, and what the emulator's driver knows of both.

use std::fmt::Display;

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentField {
    /// Its name.
    pub name: &'static str,
    /// Where it begins in the host's struct, which is laid out as C lays out the header's.
    pub offset: usize,
    /// Its type in the header.
    pub(crate) cuda: &'static str,
}

/// A struct of the host that has the arguments of a kernel, in their order.
pub trait KernelArguments<const N: usize> {
    /// The arguments.
    const FIELDS: [ArgumentField; N];
}

/// What a header says of an argument, and of those behind it of which nothing is said. Lines are broken as they are written.
pub(crate) type Comment<Use> = fn(&Use) -> Option<String>;

/// What a header says of the arguments in its struct.
pub(crate) trait CommentedArguments<const N: usize>: KernelArguments<N> {
    /// What the comments depend on.
    type Use;

    /// What is said of each argument.
    const COMMENTS: [Comment<Self::Use>; N];
}

/// Makes a struct of a row for each argument: the name, the type, the type in a header, what it is, and what a header says of it, if that
/// is not the same without its quotes. `for` names what the comments depend on.
macro_rules! arguments {
    (
        $(#[$meta:meta])*
        $struct:ident for $use:ty;
        $($name:ident: $type:ty, $cuda:literal, $doc:literal $(, $comment:expr)?;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(C)]
        pub struct $struct {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl $crate::contract::arguments::KernelArguments<{ [$($cuda),*].len() }> for $struct {
            const FIELDS: [$crate::contract::arguments::ArgumentField; [$($cuda),*].len()] = [$(
                $crate::contract::arguments::ArgumentField {
                    name: stringify!($name),
                    offset: std::mem::offset_of!($struct, $name),
                    cuda: $cuda,
                },
            )*];
        }

        impl $crate::contract::arguments::CommentedArguments<{ [$($cuda),*].len() }> for $struct {
            type Use = $use;

            const COMMENTS: [$crate::contract::arguments::Comment<$use>; [$($cuda),*].len()] =
                [$($crate::contract::arguments::arguments!(@comment $doc $(, $comment)?)),*];
        }
    };
    (@comment $doc:literal) => { |_| Some($doc.replace('`', "")) };
    (@comment $doc:literal, $comment:expr) => { $comment };
}
pub(crate) use arguments;

/// An argument in the header's struct.
pub(crate) struct ArgumentView {
    pub(crate) comment: Vec<String>,
    pub(crate) cuda: &'static str,
    pub(crate) name: &'static str,
}

/// The arguments as `templates/fragments/arguments.cuh` shows them.
pub(crate) fn members<A: CommentedArguments<N>, const N: usize>(
    used: &A::Use,
) -> Vec<ArgumentView> {
    let view = |(ArgumentField { name, cuda, .. }, comment): (_, &Comment<A::Use>)| {
        let comment = comment(used).unwrap_or_default();
        ArgumentView { comment: comment.lines().map(str::to_owned).collect(), cuda, name }
    };
    A::FIELDS.into_iter().zip(&A::COMMENTS).map(view).collect()
}

/// Columns of a line of parameters.
const COLUMNS: usize = 120;

/// The parameters of a kernel.
pub(crate) struct ParametersView {
    /// As the kernel declares them, in lines of their own.
    pub(crate) declared: String,
    /// As a call has them.
    pub(crate) names: String,
}

impl ParametersView {
    pub(crate) fn of<A: KernelArguments<N>, const N: usize>(spec: &impl Display) -> Self {
        Self::of_fields(&A::FIELDS, spec)
    }

    /// The same of some arguments.
    pub(crate) fn of_fields(fields: &[ArgumentField], spec: &impl Display) -> Self {
        Self::of_lines([fields], |own| format!("sortsmith::{spec}::{own}"))
    }

    /// The same in lines, which are broken where they are too long. `type_of` is what a type of the spec's struct is outside of it.
    pub(crate) fn of_lines<'a>(
        lines: impl IntoIterator<Item = &'a [ArgumentField]>,
        type_of: impl Fn(&str) -> String,
    ) -> Self {
        let (mut declared, mut names, mut line_start) = (String::new(), Vec::new(), 0);
        let mut fields = lines.into_iter().flat_map(|line| line.iter().enumerate()).peekable();
        while let Some((number, field)) = fields.next() {
            let end = if fields.peek().is_some() { "," } else { "" };
            let cuda = outside_of_struct(field.cuda, &type_of);
            let parameter = format!(" {cuda} {}{end}", field.name);
            if number == 0 || declared.len() - line_start + parameter.len() > COLUMNS {
                declared.push_str("\n   ");
                line_start = declared.len() - 3;
            }
            declared.push_str(&parameter);
            names.push(field.name);
        }
        Self { declared, names: names.join(", ") }
    }
}

/// A type outside of the spec's struct, which has those that begin with a capital.
fn outside_of_struct(cuda: &str, type_of: impl Fn(&str) -> String) -> String {
    let is_of_struct = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
    let own = cuda.split([' ', '*']).find(is_of_struct);
    own.map_or(cuda.to_owned(), |own| cuda.replace(own, &type_of(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    arguments! {
        /// Two of a kernel.
        Two for bool;
        keys: u64, "const Key*", "The `keys`.", |is_read| Some(format!("Read: {is_read}."));
        sorted: bool, "bool", "Whether `keys` are sorted.";
    }

    #[test]
    fn a_table_makes_parameters_and_members() {
        let ParametersView { declared, names } = ParametersView::of::<Two, 2>(&"toy_u32");
        assert_eq!(names, "keys, sorted");
        assert_eq!(declared, "\n    const sortsmith::toy_u32::Key* keys, bool sorted");
        let view = members::<Two, 2>(&true);
        let comments: Vec<_> = view.iter().flat_map(|it| it.comment.clone()).collect();
        assert_eq!(comments, ["Read: true.", "Whether keys are sorted."]);
        assert_eq!(Two::FIELDS.map(|field| field.offset), [0, 8]);
    }
}
