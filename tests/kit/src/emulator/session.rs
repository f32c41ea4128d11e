//! A running program, and requests to it.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::sites::SiteRequest;
use super::{Batch, Message, Site};

const RESPONSE_MAGIC: u32 = u32::from_le_bytes(*b"ssrs");

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The kernels ran.
    Sorted {
        /// The keys after it.
        keys: Vec<u8>,
        /// The values after it.
        values: Vec<u8>,
        /// Barriers of blocks, over all of them.
        barriers: u32,
    },
    /// The emulator met something that a kernel must not do.
    Fault(String),
    /// The program has no such member, or the request makes no sense.
    Refused(String),
}

impl Outcome {
    /// What is wrong with it: what `of_arrays` finds in its keys and values, or the program's message.
    pub fn complaint(
        &self,
        of_arrays: impl FnOnce(&[u8], &[u8]) -> Option<String>,
    ) -> Option<String> {
        match self {
            Self::Sorted { keys, values, .. } => of_arrays(keys, values),
            Self::Fault(message) => Some(format!("fault: {message}")),
            Self::Refused(message) => Some(format!("refused: {message}")),
        }
    }
}

/// The program ended, or did not answer in time.
#[derive(Debug)]
pub struct SessionError(pub String);

impl std::fmt::Display for SessionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SessionError {}

/// A running program.
pub struct Session {
    child: Arc<Mutex<Child>>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    working: mpsc::Sender<bool>,
}

impl Session {
    /// Runs a program. A request that takes longer than `limit` ends it.
    pub fn start(batch: &Batch, limit: Duration) -> io::Result<Self> {
        Self::start_command(&mut Command::new(&batch.program), limit)
    }

    /// Runs a program in which a block may take `seconds` of processor time before it counts as an endless loop, and the
    /// program goes on with the next request.
    pub fn start_impatient(batch: &Batch, seconds: u32) -> io::Result<Self> {
        let mut command = Command::new(&batch.program);
        command.env("EMULATOR_SECONDS", seconds.to_string());
        Self::start_command(&mut command, Duration::from_secs(300))
    }

    fn start_command(command: &mut Command, limit: Duration) -> io::Result<Self> {
        let mut child = command
            .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else { unreachable!("both are piped") };
        let child = Arc::new(Mutex::new(child));
        let (working, watched) = mpsc::channel();
        let killed = child.clone();
        std::thread::spawn(move || watch(&watched, limit, &killed));
        Ok(Self { child, stdin, stdout, working })
    }

    /// Serves one request. After an error the session is of no more use.
    pub fn run(&mut self, request: &Message) -> Result<Outcome, SessionError> {
        // The watcher outlives the session's requests.
        let _ = self.working.send(true);
        let outcome = self.exchange(request);
        let _ = self.working.send(false);
        outcome.map_err(|error| {
            SessionError(format!("no answer ({error}); the program: {}", self.ending()))
        })
    }

    /// From here on runs list the sites that they pass; the list begins empty, and no site is out.
    pub fn list_sites(&mut self) -> Result<(), SessionError> {
        self.ask_of_sites(SiteRequest::List).map(drop)
    }

    /// The sites that have been passed.
    pub fn listed_sites(&mut self) -> Result<Vec<Site>, SessionError> {
        let text = self.ask_of_sites(SiteRequest::Tell)?;
        let sites: Option<_> = text.lines().map(Site::parse).collect();
        sites.ok_or_else(|| SessionError(format!("a list of sites that is none: {text}")))
    }

    /// Breaks this site in the runs that follow, or none; they list nothing.
    pub fn take_out(&mut self, site: Option<&Site>) -> Result<(), SessionError> {
        self.ask_of_sites(SiteRequest::TakeOut(site)).map(drop)
    }

    fn ask_of_sites(&mut self, request: SiteRequest<'_>) -> Result<String, SessionError> {
        match self.send(&request.bytes()) {
            Ok((0, text)) => Ok(text),
            Ok((status, text)) => Err(SessionError(format!("status {status}: {text}"))),
            Err(error) => Err(SessionError(error.to_string())),
        }
    }

    /// How the program ended; one that talks nonsense is ended here.
    fn ending(&self) -> String {
        let mut child = lock(&self.child);
        for _ in 0..50 {
            if let Ok(Some(status)) = child.try_wait() {
                return status.to_string();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        "still ran".to_owned()
    }

    /// Sends a request; the status and the message of its response.
    fn send(&mut self, request: &[u8]) -> io::Result<(u32, String)> {
        self.stdin.write_all(request)?;
        self.stdin.flush()?;
        let [magic, status, message_bytes] = [self.word()?, self.word()?, self.word()?];
        if magic != RESPONSE_MAGIC {
            return Err(io::Error::other("the program's answer is not one"));
        }
        let message = self.bytes(message_bytes as usize)?;
        Ok((status, String::from_utf8_lossy(&message).into_owned()))
    }

    fn exchange(&mut self, request: &Message) -> io::Result<Outcome> {
        let (status, message) = self.send(&request.bytes)?;
        match status {
            0 => {
                let keys = self.bytes(request.answered_keys)?;
                let values = self.bytes(request.answered_values)?;
                let count = message.split(' ').next().and_then(|count| count.parse().ok());
                let barriers = count.ok_or_else(|| io::Error::other("no count of barriers"))?;
                Ok(Outcome::Sorted { keys, values, barriers })
            }
            1 => Ok(Outcome::Fault(message)),
            _ => Ok(Outcome::Refused(message)),
        }
    }

    fn word(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.stdout.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.stdout.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Ends the program when it works on one request for too long.
fn watch(working: &mpsc::Receiver<bool>, limit: Duration, child: &Mutex<Child>) {
    let mut is_working = false;
    loop {
        let message = if is_working {
            working.recv_timeout(limit)
        } else {
            working.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match message {
            Ok(next) => is_working = next,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("a request took more than {} s", limit.as_secs());
                let _ = lock(child).kill();
                return;
            }
        }
    }
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}
