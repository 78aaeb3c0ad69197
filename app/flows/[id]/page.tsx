import type { Metadata } from 'next';
import { EditorPage } from '@/components/editor/editor-page';

export const metadata: Metadata = { title: 'Flow' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <EditorPage key={id} flowId={decodeURIComponent(id)} />;
}
