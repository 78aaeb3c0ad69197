'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu, DropdownMenuContent, DropdownMenuRadioGroup, DropdownMenuRadioItem, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { IconButton } from '../ui/icon-button';
import { setTheme, useTheme } from '../ui/theme';

export function ThemeMenu() {
  const { choice } = useTheme();
  const icon = choice === 'system' ? <Monitor size={16} /> : choice === 'dark' ? <Moon size={16} /> : <Sun size={16} />;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label="Theme" icon={icon} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup value={choice}>
          <DropdownMenuRadioItem value="system" onSelect={() => setTheme('system')}>
            Like the system
          </DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="light" onSelect={() => setTheme('light')}>
            Light
          </DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="dark" onSelect={() => setTheme('dark')}>
            Dark
          </DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
