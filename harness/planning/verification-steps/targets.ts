import { type CoreFunctionalityTag, type CriticalRisk, type DesignAndRisks, describeTag } from '../artefacts/design';
import type { FileSummary, TestingInventory } from '../artefacts/file-summary';
import { joined, listSection } from '../artefacts/markdown';
import { uniquePaths } from '../artefacts/paths';

/** What phase 5 has to test, derived and not chosen by a model (planning.md §9). */
export interface VerificationInputs {
  targets: string[];
  security: CriticalRisk[];
  inventory: TestingInventory | null;
  core: CoreFunctionalityTag[];
}

export const verificationInputs = (
  design: DesignAndRisks,
  fileSummary: FileSummary | null,
  core: readonly CoreFunctionalityTag[],
): VerificationInputs => ({
  targets: uniquePaths([
    ...design.change_designs.map(({ file_path }) => file_path),
    ...(fileSummary?.files_to_create ?? []).map(({ file_path }) => file_path),
  ]),
  security: design.critical_risks,
  inventory: fileSummary?.testing_inventory ?? null,
  core: [...core],
});

/** The derived inputs as the prompt carries them. */
export const renderVerificationInputs = ({ targets, security, core }: VerificationInputs): string =>
  [
    listSection('Verification targets', targets),
    listSection(
      'Security concerns',
      security.map(({ risk, severity, mitigation }) => joined([`[${severity}] ${risk}`, mitigation])),
    ),
    listSection('Core functionality', core.map(describeTag)),
  ].join('\n\n');
