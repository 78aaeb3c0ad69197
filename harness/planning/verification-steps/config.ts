import { z } from 'zod';
import { patternSchema } from '../artefacts/pattern';

export const verificationModeSchema = z.enum(['normal', 'tdd']);
export type VerificationMode = z.output<typeof verificationModeSchema>;

const patterns = (title: string, initial: string[]) => z.array(patternSchema).default(initial).meta({ title });

// A window on a screen, not one of time (`rate-limit window`, `window of 15 minutes`) and not the browser's global (`window.location`).
const window = String.raw`(?<!\b(?:time|rate|limit|limiting|expiry|sliding|reset|hour|minute|second|retry|\d+[smh]?)[- ])window(?![.\w])(?! of\b)`;
const surface = `(?:${window}|screen|animation|gui|rendering)`;
const checking = '(?:verif|check|test|confirm|inspect|observ|watch|look|judg|press|click|play|launch|qa)';

/** Words by which a test is seen to need a person, as JavaScript patterns without regard to case. */
export const humanLoopConfigSchema = z.object({
  person: patterns('A person has to act', [
    String.raw`\bmanual(?:ly)? (?:\w+ ){0,2}${checking}`,
    String.raw`\b${checking}\w* (?:\S+ ){0,4}(?:manually|by hand|by eye)\b|\beyeball`,
    String.raw`\bask (?:a|an|the) (?:user|person|human|tester|developer|operator|player) to\b`,
    String.raw`\b(?:human|person|tester|observer)s? (?:(?:should|must|has to|have to|needs to|will|can) )?(?:looks?|watch(?:es)?|observes?|sees?|confirms?|checks?|verif(?:y|ies)|judges?|inspects?|listens?|plays?|press(?:es)?|clicks?)\b`,
  ]),
  observation: patterns('Something has to be watched', [
    String.raw`\b(?:observ|watch|looks? at|looking at|sees?\b|seeing|inspect)\w*[^.\n]{0,60}\b${surface}\b`,
    String.raw`\b${surface}\b[^.\n]{0,40}\b(?:observ\w*|inspection|visible|appears?|looks)\b`,
    String.raw`\bvisual(?:ly)?\b[^.\n]{0,30}\b(?:confirm|inspect|check|verif|compar)`,
    String.raw`\b(?:launch|open|start|show)(?:s|es|ing)? (?:a |the )?(?:\w+ ){0,2}(?:${window}|gui)\b`,
    String.raw`\b(?:launch|play|watch)(?:es|s|ing)? (?:a|the) (?:\w+ )?game\b`,
    String.raw`\bon[- ]screen\b`,
  ]),
  programmatic: patterns('The test itself runs without a screen', [
    String.raw`\bheadless\b|\boff-?screen\b|\bframe ?buffer\b|\bvirtual display\b|\bxvfb\b`,
  ]),
  hook: patterns('A seam for tests', [
    String.raw`\bhooks?\b|\bseams?\b|\bheadless\b|\btest mode\b|\binject|\bexpos(?:e|es|ing)\b|\bextract|\bpure\b|\bdetermin|\bsnapshot\b|\baccessor\b|\bstate dump\b`,
  ]),
});
export type HumanLoopConfig = z.output<typeof humanLoopConfigSchema>;

export const verificationConfigSchema = z.object({
  mode: verificationModeSchema.default('normal').meta({ title: 'Mode', description: 'In TDD the tests are written before the change.' }),
  strictContract: z.boolean().default(true).meta({ title: 'Check the test contract' }),
  investigation: z.int().min(0).max(20).default(0).meta({ title: 'Turns of investigation before the steps are written' }),
  humanLoop: humanLoopConfigSchema.default(humanLoopConfigSchema.parse({})).meta({ title: 'What a program cannot test' }),
});
export type VerificationConfig = z.output<typeof verificationConfigSchema>;
export const defaultVerificationConfig: VerificationConfig = verificationConfigSchema.parse({});
