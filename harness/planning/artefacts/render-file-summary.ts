import type { FileObservation, FileSummary, TestingInventory } from './file-summary';
import { bullet, document, fenced, joined, listSection, noneIdentified, textSection } from './markdown';

/** One observation with its snippets, as it stands in prompts and in the artefact. */
export function renderObservation(observation: FileObservation): string {
  const head = `### \`${observation.file_path}\`\n\n${joined([observation.role, observation.reason])}`;
  const sections = observation.relevant_sections.trim() === '' ? [] : [`Relevant: ${observation.relevant_sections.trim()}`];
  return [head, ...sections, ...observation.key_snippets.filter((snippet) => snippet.trim() !== '').map(fenced)].join('\n\n');
}

const files = (title: string, observations: readonly FileObservation[]): string =>
  textSection(title, observations.map(renderObservation).join('\n\n'));

const named = (title: string, text: string): string => bullet(`${title}: ${text.trim() === '' ? noneIdentified : text}`);

function inventory(found: TestingInventory | null): string {
  if (found === null) return textSection('Testing inventory', '');
  const coverage = found.affected_files_existing_coverage.map(({ source_file, test_files, coverage_notes }) =>
    joined([`\`${source_file}\``, test_files.length === 0 ? 'no tests' : test_files.join(', '), coverage_notes]),
  );
  const excerpt = found.assertion_style_excerpt.trim();
  return textSection(
    'Testing inventory',
    [
      named('Framework', found.test_framework),
      named('Directory', found.test_directory),
      named('File pattern', found.test_file_pattern),
      named('Regression files', found.existing_regression_files.join(', ')),
      named('Coverage of affected files', coverage.length === 0 ? '' : `\n${coverage.map(bullet).join('\n')}`),
      named('Notes', found.notes),
      ...(excerpt === '' ? [] : ['', 'Assertion style:', '', fenced(excerpt)]),
    ].join('\n'),
  );
}

/** All headings are always printed; snippets stay verbatim, since design and steps quote signatures from them. */
export const renderFileSummary = (summary: FileSummary): string =>
  document('Codebase exploration', [
    files('Files to modify', summary.files_to_modify),
    files('Files to create', summary.files_to_create),
    files('Files read for context', summary.files_read_for_context),
    listSection(
      'Missing infrastructure',
      summary.missing_infrastructure.map(({ name, reason, blocking }) => `${joined([name, reason])}${blocking ? ' [BLOCKING]' : ''}`),
    ),
    listSection(
      'Verified references',
      summary.verified_references.map(({ dependency, docs_url, version, confirmed_patterns }) =>
        joined([joined([dependency, version], ' '), docs_url, confirmed_patterns]),
      ),
    ),
    listSection(
      'Assumptions resolved',
      summary.assumptions_resolved.map(({ assumption, status, evidence }) => joined([`${status}: ${assumption}`, evidence])),
    ),
    inventory(summary.testing_inventory),
    textSection('Notes', summary.notes),
  ]);
