/** The mark: a snaffle bit, two rings and a jointed bar. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
    >
      <circle cx="5.4" cy="12" r="3.9" />
      <circle cx="18.6" cy="12" r="3.9" />
      <path d="M9.3 12.6c.9 1.3 1.8 1.3 2.7 0 .9-1.3 1.8-1.3 2.7 0" />
    </svg>
  );
}
