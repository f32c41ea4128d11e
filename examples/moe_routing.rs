//! Routing of a mixture of experts: each token goes to its likeliest experts, and each expert gets its tokens side by side, so that one
//! matrix product serves all of them. One call sorts the tokens by experts and says where each expert's begin.
//!
//! `cargo run --release --example moe_routing`

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::Sorter;

const TOKENS: usize = 4096;
const EXPERTS: usize = 64;
/// Experts of a token.
const CHOSEN: usize = 2;
/// An expert that is full drops tokens, which get this number.
const DROPPED: i64 = -1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SmallRng::seed_from_u64(5);
    // The router's scores of each token for each expert; some experts are liked by many tokens.
    let score = |expert: usize, rng: &mut SmallRng| {
        rng.random_range(0.0f32..1.0) + if expert % 16 == 3 { 0.05 } else { 0.0 }
    };
    let scores: Vec<f32> =
        (0..TOKENS * EXPERTS).map(|number| score(number % EXPERTS, &mut rng)).collect();
    let sorter = Sorter::new()?;
    // Choice c of token t is number t * CHOSEN + c.
    let (mut best, mut experts) = (vec![0.0; TOKENS * CHOSEN], vec![0; TOKENS * CHOSEN]);
    sorter.top_k_rows_into(&scores, &mut best, &mut experts, EXPERTS, CHOSEN)?;
    let mut left = [400u32; EXPERTS];
    let admit = |expert: &u32| {
        let left = &mut left[*expert as usize];
        if *left == 0 {
            return DROPPED;
        }
        *left -= 1;
        i64::from(*expert)
    };
    let experts: Vec<i64> = experts.iter().map(admit).collect();

    let (choices, offsets) = by_expert(&sorter, &experts)?;
    for expert in [0, 3, 63] {
        let own = &choices[offsets[expert] as usize..offsets[expert + 1] as usize];
        let tokens: Vec<usize> = own.iter().map(|choice| *choice as usize / CHOSEN).collect();
        println!("expert {expert}: {} tokens, {:?} ...", tokens.len(), &tokens[..4]);
        assert!(tokens.is_sorted());
    }
    let kept = offsets[EXPERTS] as usize;
    println!("{} of {} choices were dropped", choices.len() - kept, choices.len());
    println!("on the {} backend", sorter.backend());
    Ok(())
}

/// The numbers of choices by experts, and where in them each expert's begin.
fn by_expert(
    sorter: &Sorter,
    experts: &[i64],
) -> Result<(Vec<u32>, Vec<u32>), Box<dyn std::error::Error>> {
    #[cfg(feature = "cuda")]
    if let Some(stream) = sorter.stream() {
        // A model has them there already, and keeps both results there.
        let experts = stream.clone_htod(experts)?;
        let found = sorter.argsort_binned::<i64>(&experts, EXPERTS)?;
        return Ok((stream.clone_dtoh(&found.positions)?, stream.clone_dtoh(&found.offsets)?));
    }
    let (mut choices, mut offsets) = (vec![0; experts.len()], vec![0; EXPERTS + 1]);
    sorter.argsort_binned_into(experts, EXPERTS, &mut choices, &mut offsets)?;
    Ok((choices, offsets))
}
