//! The records of one GPU, and what is shown of each.

use sortsmith_benchkit::{Case, Group as Kind, Input, Library, Record};

use super::charts::Chart;

/// The records of one GPU, and the charts made of each.
pub struct Chapter {
    /// The folder of the records, which files are named by.
    pub folder: String,
    /// The newest record of each kind, with its file's name and charts.
    pub sections: Vec<Section>,
}

/// One record and what is shown of it.
pub struct Section {
    /// The file's name.
    pub file: String,
    /// What it says.
    pub record: Record,
    /// In the order in which they are shown.
    pub charts: Vec<Chart>,
}

/// What a record is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Sorts of one kind. PyTorch has a process and so a file of its own.
    Sorts { kind: Kind, by_torch: bool },
    /// Device-wide sorts of all classes of keys.
    Inputs,
}

impl Subject {
    /// That of a record; one without rows has none.
    pub fn of(record: &Record) -> Option<Self> {
        let first = record.rows.first()?.id;
        let is_of_inputs =
            |case: &Case| case.group == Kind::Device && matches!(case.input, Input::Class(_));
        if record.rows.iter().any(|row| is_of_inputs(&row.id.case)) {
            return Some(Self::Inputs);
        }
        let by_torch = first.contender.library == Library::Torch;
        Some(Self::Sorts { kind: first.case.group, by_torch })
    }
}

impl Section {
    /// What its record is of.
    pub fn subject(&self) -> Option<Subject> {
        Subject::of(&self.record)
    }

    /// The kind of its rows, but for those of inputs, which have a section of their own.
    pub fn kind(&self) -> Option<Kind> {
        match self.subject()? {
            Subject::Sorts { kind, .. } => Some(kind),
            Subject::Inputs => None,
        }
    }

    /// Whether PyTorch sorted its rows.
    pub fn is_of_torch(&self) -> bool {
        matches!(self.subject(), Some(Subject::Sorts { by_torch: true, .. }))
    }
}

/// The file of a chart, in docs/img.
pub fn image(folder: &str, chart: &Chart) -> String {
    format!("{folder}-{}.svg", chart.name)
}

#[cfg(test)]
mod tests {
    use super::super::cases::record_of;
    use super::*;

    const HEAD: &str = "\
group,types,input,n,threads,items,columns,k,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
";

    #[test]
    fn classes_of_keys_make_a_record_of_inputs_of_device_wide_sorts_alone() {
        let of = |row: &str| Subject::of(&record_of(2, &format!("{HEAD}{row}\n")));
        let device = "device,u64_keys,two values,1024,,,,,asc,into,,sortsmith,1,0.001024,,,,,,,";
        assert_eq!(of(device), Some(Subject::Inputs));
        let top_k =
            "topk,f32_u32,two values,1024,,,128,50,desc,ordered,,sortsmith,1,0.001024,,,,,,,";
        let expected = Subject::Sorts { kind: Kind::TopK, by_torch: false };
        assert_eq!(of(top_k), Some(expected));
    }
}
