import { expressionFunctions, operatorNotes } from '@/harness/expression/functions';
import { Section } from '../shell/page';

/** The expression language: made from the same list that registers its functions. */
export function Expressions() {
  return (
    <Section id="expressions" title="Expressions">
      <p className="mb-3 max-w-2xl text-muted">
        Conditions are CEL expressions, and templates are text with expressions in {'{{ }}'}. Both read the outputs of nodes by their id,
        and input, received, item, index, state, run and session.
      </p>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full text-left text-sm">
          <caption className="sr-only">Operators and functions of expressions</caption>
          <thead className="text-muted">
            <tr className="border-line border-b">
              <th className="px-3 py-2 font-medium">Write</th>
              <th className="px-3 py-2 font-medium">What it does</th>
              <th className="px-3 py-2 font-medium">Example</th>
            </tr>
          </thead>
          <tbody>
            {operatorNotes.map(({ operator, note }) => (
              <tr key={operator} className="border-line border-b last:border-0">
                <td className="whitespace-nowrap px-3 py-2 font-mono text-xs">{operator}</td>
                <td className="px-3 py-2" colSpan={2}>
                  {note}
                </td>
              </tr>
            ))}
            {expressionFunctions.map(({ name, signatures, summary, example, gives }) => (
              <tr key={name} className="border-line border-b last:border-0">
                <td className="px-3 py-2 font-mono text-xs">{signatures.join('\n')}</td>
                <td className="px-3 py-2">{summary}</td>
                <td className="px-3 py-2 font-mono text-xs">
                  {example} → {gives}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
