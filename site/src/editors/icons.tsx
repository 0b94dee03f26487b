import type { ReactNode } from 'react';

function Icon({ children, size = 18 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const TurnLeft = () => (
  <Icon>
    <path d="M3 12a9 9 0 1 0 3-6.7L3 8" />
    <path d="M3 3v5h5" />
  </Icon>
);

export const TurnRight = () => (
  <Icon>
    <path d="M21 12a9 9 0 1 1-3-6.7L21 8" />
    <path d="M21 3v5h-5" />
  </Icon>
);

export const Tick = () => (
  <Icon size={14}>
    <path d="m5 12.5 4.5 4.5L19 7.5" strokeWidth="3" />
  </Icon>
);

export const Scissors = () => (
  <Icon size={16}>
    <circle cx="6" cy="6" r="3" />
    <circle cx="6" cy="18" r="3" />
    <path d="M20 4 8.1 15.9M14.5 14.5 20 20M8.1 8.1 12 12" />
  </Icon>
);

export const Grip = () => (
  <Icon>
    <path d="M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01" strokeWidth="3" />
  </Icon>
);

export const Back = () => (
  <Icon>
    <path d="m15 18-6-6 6-6" />
  </Icon>
);

export const Forward = () => (
  <Icon>
    <path d="m9 18 6-6-6-6" />
  </Icon>
);

export const Up = () => (
  <Icon>
    <path d="m18 15-6-6-6 6" />
  </Icon>
);

export const Down = () => (
  <Icon>
    <path d="m6 9 6 6 6-6" />
  </Icon>
);

export const Close = () => (
  <Icon>
    <path d="M18 6 6 18M6 6l12 12" />
  </Icon>
);
