import fc from 'fast-check';

// Properties are drawn from one seed, so that a red run is the same run again. BRIDLE_SEED=random (or a number) explores others.
const wanted = process.env.BRIDLE_SEED ?? '20260101';
const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
fc.configureGlobal({ seed });
if (wanted !== '20260101') console.log(`BRIDLE_SEED=${seed}`);
