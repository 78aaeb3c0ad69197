import { z } from 'zod';

const pairs: [string, string][] = [
  ['present', 'absent'],
  ['true', 'false'],
  ['exists', 'missing'],
  ['success', 'failure'],
  ['available', 'unavailable'],
  ['enabled', 'disabled'],
  ['found', 'not found'],
  ['is', 'is not'],
  ['passed', 'failed'],
  ['passing', 'failing'],
  ['running', 'stopped'],
  ['online', 'offline'],
  ['存在', '不存在'],
  ['真', '假'],
  ['存在', '缺失'],
  ['成功', '失败'],
  ['可用', '不可用'],
  ['启用', '禁用'],
  ['找到', '未找到'],
  ['是', '不是'],
  ['通过', '失败'],
  ['有效', '无效'],
  ['运行', '停止'],
  ['在线', '离线'],
];

const words = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

/** The word lists of the lexical rules (layers.md R4, R5, R8, R11). All of them are config. */
export const lexiconSchema = z.object({
  opposites: z
    .array(z.tuple([z.string().min(1), z.string().min(1)]))
    .max(31)
    .default(pairs)
    .meta({ title: 'Pairs of opposites' }),
  polarity: words('Words that turn a statement round', ['not', 'absent', 'no', '不', '没', '无', '否', '未']),
  stopwords: words('Words that do not count as a shared subject', ['the', 'a', 'an', 'is', 'are', 'was', 'were', 'in', 'at']),
  statementLevel: words('Words of statement level', [
    'line ',
    'line\t',
    ':line',
    ' ln ',
    'column ',
    'char ',
    'line:',
    'statement',
    'expression',
    'lineno',
    '行号',
    '字符',
    '列',
    '语句',
    '表达式',
  ]),
  functionLevel: words('Words of function level', ['function', 'method', 'def ', 'procedure', '()', '函数', '方法', '过程']),
  reviewTriggers: words('Words that negate what follows', [
    'not ',
    'removes ',
    'remove ',
    'delete ',
    'revert ',
    'contradicts ',
    'negate ',
    'negates ',
    'no longer ',
    '不',
    '没有',
    '移除',
    '删除',
    '取消',
    '去掉',
    '撤销',
    '回退',
    '违反',
    '不再',
  ]),
  reviewStopwords: words('Words without weight in a change', [
    'the',
    'a',
    'an',
    'is',
    'are',
    'was',
    'were',
    'in',
    'at',
    'to',
    'of',
    'and',
    'or',
    'for',
    'with',
    'that',
    'this',
    'on',
    'be',
    '的',
    '了',
    '是',
  ]),
  constraintNegations: words('Words that forbid', ['not', 'never', 'no', 'without', 'exclude', 'must not']),
});
export type Lexicon = z.output<typeof lexiconSchema>;
export const defaultLexicon: Lexicon = lexiconSchema.parse({});

/** The reference also takes any word that begins with l for a line number; kept to reproduce its numbers. */
export const referenceLexicon: Lexicon = { ...defaultLexicon, statementLevel: [...defaultLexicon.statementLevel, ' l'] };
