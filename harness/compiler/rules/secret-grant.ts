import { nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

const secretName = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Secrets may be used in templates only, and only those the flow's settings name. */
export const secretGrant: Rule = ({ document, sources }) =>
  sources.flatMap(({ entry, path, text, references }) =>
    references.flatMap((reference): Diagnostic[] => {
      if (reference.kind !== 'secrets') return [];
      const place = { nodeId: entry.id, path };
      const name = reference.root;
      if (text.kind === 'expression') {
        const message = `${nameOf(entry)}: a secret can be written into a template such as a header, not read by an expression.`;
        return [{ ...place, code: 'SECRET_IN_EXPRESSION', severity: 'error', message }];
      }
      if (document.settings.secrets.includes(name)) return [];
      if (!secretName.test(name)) {
        return [
          { ...place, code: 'SECRET_NAME', severity: 'error', message: `${nameOf(entry)}: write secrets.NAME, with A-Z, 0-9 and _ only.` },
        ];
      }
      return [
        {
          ...place,
          code: 'SECRET_NOT_GRANTED',
          severity: 'error',
          message: `${nameOf(entry)} uses the secret ${name}, which this flow's settings do not grant.`,
          fix: { title: `Grant ${name} to this flow`, apply: (flow) => grant(flow, name) },
        },
      ];
    }),
  );

const grant = (flow: Parameters<NonNullable<Diagnostic['fix']>['apply']>[0], name: string) => ({
  ...flow,
  settings: { ...flow.settings, secrets: [...new Set([...flow.settings.secrets, name])].sort() },
});
