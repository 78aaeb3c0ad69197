import type { Metadata } from 'next';
import { DoctorPage } from '@/components/doctor/doctor-page';

export const metadata: Metadata = { title: 'Doctor' };

export default function Doctor() {
  return <DoctorPage />;
}
