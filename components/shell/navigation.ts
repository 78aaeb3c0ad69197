import { CircleGauge, House, type LucideIcon, MessageSquare, Settings2, Shapes, Stethoscope } from 'lucide-react';

export interface Destination {
  href: string;
  title: string;
  icon: LucideIcon;
}

export const destinations: readonly Destination[] = [
  { href: '/', title: 'Home', icon: House },
  { href: '/runs', title: 'Runs', icon: CircleGauge },
  { href: '/chat', title: 'Chat', icon: MessageSquare },
  { href: '/nodes', title: 'Nodes', icon: Shapes },
  { href: '/doctor', title: 'Doctor', icon: Stethoscope },
  { href: '/settings', title: 'Settings', icon: Settings2 },
];

/** Whether the page at `path` belongs to a destination. */
export const isCurrent = (href: string, path: string): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);

/** The editor needs the bar for itself; there the destinations fold into a menu. */
export const isEditor = (path: string): boolean => path.startsWith('/flows/');
