import type { Metadata } from 'next';
import { ChatPage } from '@/components/chat/chat-page';

export const metadata: Metadata = { title: 'Chat' };

export default async function Chat({ searchParams }: { searchParams: Promise<{ flow?: string | string[] }> }) {
  const { flow } = await searchParams;
  return <ChatPage sessionId={null} initialFlowId={typeof flow === 'string' ? flow : null} />;
}
