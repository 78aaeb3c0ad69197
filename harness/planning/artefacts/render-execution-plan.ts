import { describeTag, renderNamingTable } from './design';
import type { ExecutionPlan, NameRegistryEntry } from './execution-plan';
import { bullet, document, joined, listSection, noneIdentified, table, textSection } from './markdown';
import type { PlanStep } from './plan-step';

export const renderNameRegistry = (entries: readonly NameRegistryEntry[]): string =>
  table(
    ['Entity', 'Class', 'Module', 'Import', 'Table', 'File', 'Route', 'Registered in', 'Test'],
    entries.map((entry) => [
      entry.entity,
      entry.model_class,
      entry.module_namespace,
      entry.import_stmt,
      entry.db_table,
      entry.file_path,
      entry.route_endpoint,
      entry.registered_in.join(', '),
      entry.test_file,
    ]),
  );

const checks = (step: PlanStep): string[] =>
  (step.contract?.success_checks ?? []).map(({ description, tool, command, expected }) =>
    bullet(joined([`Check: ${description}`, joined([tool, command === '' ? '' : `\`${command}\``], ' '), expected])),
  );

/** One step as people and executors read it. */
export function renderStep(step: PlanStep): string {
  const head = `### ${step.step_number}. ${step.tool}${step.file_path === '' ? '' : ` \`${step.file_path}\``}`;
  const reason = step.reason.trim() === '' ? [] : [`Why: ${step.reason.trim()}`];
  const context = step.context.trim() === '' ? [] : [`Context:\n\n${step.context.trim()}`];
  return [head, step.instruction.trim(), ...reason, ...context, ...(checks(step).length === 0 ? [] : [checks(step).join('\n')])].join(
    '\n\n',
  );
}

const stepsSection = (title: string, steps: readonly PlanStep[]): string => textSection(title, steps.map(renderStep).join('\n\n'));

/** All headings are always printed, so that what is missing from a plan can be seen. */
export const renderExecutionPlan = (plan: ExecutionPlan): string =>
  document('Execution plan', [
    textSection('Summary', plan.user_summary),
    textSection('Scope', plan.scope),
    listSection('Warnings', plan.plan_validation_warnings),
    textSection('Naming conventions', renderNamingTable(plan.naming_conventions)),
    textSection('Name registry', plan.name_registry.length === 0 ? noneIdentified : renderNameRegistry(plan.name_registry)),
    stepsSection('Tests written first', plan.tdd_test_steps),
    stepsSection('Steps', plan.steps),
    listSection('Affected files', plan.affected_files),
    textSection('Test strategy', plan.test_strategy),
    listSection('Core functionality', plan.core_functionality.map(describeTag)),
  ]);
