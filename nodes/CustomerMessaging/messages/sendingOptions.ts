import { consentGuard } from './consentGuard';
import { allowLoop, fromAutomation } from './loopGuard';
import { sendingHours } from './sendingHours';
import { ifUndelivered } from './sendMessage';
import type { SettingOf } from './sendingOption';
import { sendOnce } from './sendOnce';

/**
 * The options that decide about a message, in their order: what can be sent later comes before a look at the consent, and a key is
 * taken for what goes out.
 */
export const messageGuards = [sendingHours, allowLoop, sendOnce] as const;
export const templateGuards = [sendingHours, consentGuard, allowLoop, sendOnce] as const;

/** All options of a message, and of a template. */
export const messageOptions = [...messageGuards, fromAutomation, ifUndelivered] as const;
export const templateOptions = [...messageOptions, consentGuard] as const;

export type MessageOption = SettingOf<(typeof messageOptions)[number]>;
export type TemplateOption = SettingOf<(typeof templateOptions)[number]>;
