import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ComparePage } from '@/components/trace/runs/compare-page';

export const metadata: Metadata = { title: 'Compare runs' };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { a, b } = await searchParams;
  if (typeof a !== 'string' || typeof b !== 'string') notFound();
  return <ComparePage key={`${a} ${b}`} a={a} b={b} />;
}
