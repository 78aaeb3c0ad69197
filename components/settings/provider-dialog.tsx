'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderView } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';

const kinds = [
  { value: 'openai', label: 'OpenAI', needsKey: true, needsUrl: false },
  { value: 'anthropic', label: 'Anthropic', needsKey: true, needsUrl: false },
  { value: 'google', label: 'Google', needsKey: true, needsUrl: false },
  { value: 'openai-compatible', label: 'OpenAI-compatible server', needsKey: false, needsUrl: true },
  { value: 'ollama', label: 'Ollama', needsKey: false, needsUrl: true },
] as const;
type Kind = (typeof kinds)[number]['value'];
const isKind = (value: string): value is Kind => kinds.some((kind) => kind.value === value);

const idPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

export interface ProviderDialogProps {
  /** The provider to change; null adds one. */
  provider: ProviderView | null;
  onClose: () => void;
}

/** Adds or changes a provider. A key is written, never read back: the field starts empty and empty means "keep what is stored". */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>(provider && isKind(provider.kind) ? provider.kind : 'openai');
  const [id, setId] = useState(provider?.id ?? 'openai');
  const [title, setTitle] = useState(provider?.title ?? '');
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? '');
  const [key, setKey] = useState('');
  const [removeKey, setRemoveKey] = useState(false);
  const [models, setModels] = useState((provider?.models ?? []).join('\n'));
  const save = useMutation(
    trpc.settings.saveProvider.mutationOptions({
      onSuccess: () => {
        void queries.invalidateQueries({ queryKey: trpc.settings.pathKey() });
        void queries.invalidateQueries({ queryKey: trpc.doctor.pathKey() });
        onClose();
      },
    }),
  );
  const spec = kinds.find((other) => other.value === kind) ?? kinds[0];
  const idProblem = idPattern.test(id) ? undefined : 'Small letters, digits and -, beginning with a letter or digit.';
  const urlProblem = spec.needsUrl && baseUrl.trim() === '' ? 'This kind of provider needs the address of its server.' : undefined;

  const submit = () => {
    if (idProblem || urlProblem) return;
    const names = models
      .split(/[\n,]/)
      .map((model) => model.trim())
      .filter((model) => model !== '');
    save.mutate({
      id,
      kind,
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
      ...(removeKey ? { key: '' } : key === '' ? {} : { key }),
      ...(names.length === 0 && provider === null ? {} : { models: names }),
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={provider ? `Change ${provider.title}` : 'Add a provider'}
      description="Keys are encrypted on this machine and are never shown again."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={save.isPending} disabled={idProblem !== undefined || urlProblem !== undefined} onClick={submit}>
            Save provider
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="provider-kind" label="Kind">
            <Select
              id="provider-kind"
              value={kind}
              disabled={provider !== null}
              options={kinds.map(({ value, label }) => ({ value, label }))}
              onValueChange={(next) => {
                if (!isKind(next)) return;
                setKind(next);
                if (provider === null && kinds.some((other) => other.value === id)) setId(next);
              }}
            />
          </Field>
          <Field
            id="provider-id"
            label="Id"
            help="Flows refer to the provider by this id."
            {...(idProblem === undefined ? {} : { error: idProblem })}
          >
            <Input
              id="provider-id"
              value={id}
              disabled={provider !== null}
              spellCheck={false}
              onChange={(event) => setId(event.target.value)}
            />
          </Field>
        </div>
        <Field id="provider-title" label="Name" help="Optional; shown in menus.">
          <Input id="provider-title" value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Field
          id="provider-url"
          label={spec.needsUrl ? 'Base URL' : 'Base URL (optional)'}
          help="For example http://127.0.0.1:11434/v1"
          {...(urlProblem === undefined || baseUrl === '' ? {} : { error: urlProblem })}
        >
          <Input
            id="provider-url"
            type="url"
            value={baseUrl}
            spellCheck={false}
            placeholder={spec.needsUrl ? 'http://127.0.0.1:8000/v1' : ''}
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        </Field>
        <Field
          id="provider-key"
          label={spec.needsKey ? 'API key' : 'API key (optional)'}
          help={
            provider?.hasKey
              ? removeKey
                ? 'The stored key is removed when you save.'
                : 'A key is set. Leave this empty to keep it.'
              : 'No key is set.'
          }
          aside={
            provider?.hasKey ? (
              <Button variant="ghost" size="sm" className="-my-1" onClick={() => setRemoveKey(!removeKey)}>
                {removeKey ? 'Keep the key' : 'Remove the key'}
              </Button>
            ) : undefined
          }
        >
          <Input
            id="provider-key"
            type="password"
            autoComplete="new-password"
            value={key}
            disabled={removeKey}
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
        <Field id="provider-models" label="Models" help="One name on a line. These are offered in menus; other names can still be typed.">
          <Textarea
            id="provider-models"
            rows={3}
            spellCheck={false}
            className="font-mono text-xs"
            value={models}
            onChange={(event) => setModels(event.target.value)}
          />
        </Field>
        {save.error ? (
          <p role="alert" className="text-fail">
            {messageOf(save.error)}
          </p>
        ) : null}
        <button type="submit" className="sr-only" tabIndex={-1}>
          Save provider
        </button>
      </form>
    </Dialog>
  );
}
