/** Two streams and the gate across them. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" style={{ flex: "none" }}>
      <path
        d="M1 6c3 0 3 2 6 2s3-2 6-2 3 2 6 2M1 14c3 0 3 2 6 2s3-2 6-2 3 2 6 2"
        fill="none"
        stroke="var(--flow-data)"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <rect x="8.8" y="1.5" width="2.4" height="17" rx="1.2" fill="var(--flow-barrier)" />
    </svg>
  );
}
