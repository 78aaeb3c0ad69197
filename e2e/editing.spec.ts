import { expect, type Page, test } from '@playwright/test';
import { apiOf } from './support/api';
import { canvas, card, edge, expectSaved, newFlow, openFlow, openPanel, runFlow, runMark } from './support/editor';
import { flowOf, importFlow, input, output, slowFlow, transform, wait } from './support/flows';

const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ });
const redo = (page: Page) => page.getByRole('button', { name: /^Redo/ });
const nodes = (page: Page) => page.locator('.react-flow__node');
const edges = (page: Page) => page.locator('.react-flow__edge');
const addFromPalette = (page: Page, title: string): Promise<void> =>
  page
    .getByRole('region', { name: 'Node palette' })
    .getByRole('button', { name: new RegExp(`^Add ${title}\\.`) })
    .click();
const onCanvas = (page: Page): Promise<void> => canvas(page).click({ position: { x: 12, y: 12 } });

function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') found.push(line.text());
  });
  return found;
}

const three = (name: string) => slowFlow(name, 10);

async function open(page: Page, flow = three('Edited')): Promise<string> {
  const id = await importFlow(apiOf(page.request), flow);
  await openFlow(page, id);
  if (flow.nodes.length > 0) await expect(nodes(page).first()).toBeVisible();
  return id;
}

async function paste(page: Page, text: string): Promise<void> {
  await onCanvas(page);
  await page.evaluate((value) => {
    const data = new DataTransfer();
    data.setData('text/plain', value);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

test('undo on a flow that was just loaded does nothing (BR-01: ten undos empty the flow)', async ({ page }) => {
  await open(page);
  await expect(undo(page)).toBeDisabled();
  await onCanvas(page);
  for (let press = 0; press < 10; press += 1) await page.keyboard.press('Control+z');
  await expect(nodes(page)).toHaveCount(3);
  await expectSaved(page);
});

test('redo answers to Ctrl+Shift+Z and Ctrl+Y, and a new edit empties it (BR-02, BR-03)', async ({ page }) => {
  await open(page);
  await addFromPalette(page, 'Code');
  await onCanvas(page);
  await page.keyboard.press('Control+z');
  await expect(card(page, 'code')).toHaveCount(0);
  await page.keyboard.press('Control+Shift+Z');
  await expect(card(page, 'code')).toBeVisible();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+y');
  await expect(card(page, 'code')).toBeVisible();
  await page.keyboard.press('Control+z');
  await addFromPalette(page, 'Map');
  await expect(redo(page)).toBeDisabled();
});

test('a deleted node comes back by undo with everything that was typed into it (BR-04)', async ({ page }) => {
  await open(page);
  await card(page, 'pause').click();
  const note = page.getByRole('textbox', { name: 'Note for readers' });
  await note.fill('Because the other side is slow.');
  await page.getByRole('textbox', { name: 'Name of the node' }).fill('Hold on');
  await page.getByRole('textbox', { name: 'Name of the node' }).press('Enter');
  await card(page, 'pause').click();
  await page.keyboard.press('Delete');
  await expect(card(page, 'pause')).toHaveCount(0);
  await expect(edges(page)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(card(page, 'pause')).toContainText('Hold on');
  await expect(edges(page)).toHaveCount(2);
  await card(page, 'pause').click();
  await expect(note).toHaveValue('Because the other side is slow.');
});

test('a fresh flow takes an undo, a new node and a drag without a complaint (BR-06)', async ({ page }) => {
  const found = complaints(page);
  await newFlow(page);
  await onCanvas(page);
  await page.keyboard.press('Control+z');
  await addFromPalette(page, 'Code');
  const before = await card(page, 'code').boundingBox();
  await card(page, 'code').hover();
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + 160, (before?.y ?? 0) + 130, { steps: 8 });
  await page.mouse.up();
  await expect.poll(async () => (await card(page, 'code').boundingBox())?.y).not.toBe(before?.y);
  await expectSaved(page);
  expect(found).toEqual([]);
});

test('a burst of typing is one undo, and a run is none (BR-07)', async ({ page }) => {
  await open(page);
  await card(page, 'pause').click();
  const note = page.getByRole('textbox', { name: 'Note for readers' });
  await note.pressSequentially('forty characters, typed one after another');
  await onCanvas(page);
  await page.keyboard.press('Control+z');
  await card(page, 'pause').click();
  await expect(note).toHaveValue('');
  await expect(undo(page)).toBeDisabled();
  await expectSaved(page);
  await runFlow(page);
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
  await expect(undo(page)).toBeDisabled();
  await expectSaved(page);
});

test('keys typed into a field stay in it (BR-10: Backspace in a prompt deletes the node)', async ({ page }) => {
  await open(page);
  await card(page, 'pause').click();
  const note = page.getByRole('textbox', { name: 'Note for readers' });
  await note.fill('some text');
  for (const key of ['Control+z', 'Control+a', 'Backspace', 'Delete', 'b', 'p', '?', 'l']) await note.press(key);
  await expect(nodes(page)).toHaveCount(3);
  await expect(note).toHaveValue('bp?l');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an exported flow pasted as text arrives whole in another (BR-11: nodes without their edges)', async ({ page }) => {
  const steps = Array.from({ length: 10 }, (_, at) => wait(`s${at}`, 10));
  const ids = ['question', ...steps.map((step) => step.id), 'reply'];
  const flow = flowOf(
    'Twelve',
    [input, ...steps, output],
    ids.slice(1).map((id, at) => [ids[at] ?? '', 'next', id] as const),
  );
  await open(page, flowOf('Empty', [], []));
  await paste(page, JSON.stringify(flow));
  await page.keyboard.press('Shift+Digit1');
  await expect(nodes(page)).toHaveCount(12);
  await expect(edges(page)).toHaveCount(11);
  await expect(page.getByRole('dialog', { name: 'Add a node' })).toHaveCount(0);
});

test('what is pasted into another flow is connected to nothing there (BR-12)', async ({ page }) => {
  await open(page);
  await card(page, 'pause').click();
  await paste(page, JSON.stringify(flowOf('One', [transform('lonely', 'received')], [])));
  await expect(nodes(page)).toHaveCount(4);
  await expect(edges(page)).toHaveCount(2);
});

const apart = flowOf('Apart', [input, wait('b', 10, 'B'), wait('c', 10, 'C')], []);

test('a connection let go on nothing leaves nothing behind, and one dropped anywhere on a node connects (BR-15, BR-17)', async ({
  page,
}) => {
  await open(page, apart);
  const port = page.getByLabel('Port next of Question').first();
  const drag = async (x: number, y: number): Promise<void> => {
    await port.hover();
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 12 });
    await page.mouse.up();
  };
  const pane = await canvas(page).boundingBox();
  await drag((pane?.x ?? 0) + 300, (pane?.y ?? 0) + 60);
  await expect(page.getByRole('dialog', { name: 'Add a node' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(edges(page)).toHaveCount(0);
  const box = await card(page, 'b').boundingBox();
  await drag((box?.x ?? 0) + (box?.width ?? 0) * 0.8, (box?.y ?? 0) + (box?.height ?? 0) * 0.7);
  await expect(edges(page)).toHaveCount(1);
  await expect(card(page, 'b')).toBeVisible();
});

test('a connection dropped on nothing offers what fits, and connects the choice', async ({ page }) => {
  await open(page, apart);
  await page.getByRole('button', { name: 'Add a node after port next of Question' }).dispatchEvent('click');
  const picker = page.getByRole('dialog', { name: 'Add a node' });
  await picker.getByRole('combobox').fill('transform');
  await page.keyboard.press('Enter');
  await expect(card(page, 'transform')).toBeVisible();
  await expect(edges(page)).toHaveCount(1);
});

test('a node chosen on an edge is inserted into it', async ({ page }) => {
  await open(page);
  await edge(page, 'question.next-pause').locator('.react-flow__edge-interaction').first().dblclick({ force: true });
  const picker = page.getByRole('dialog', { name: 'Add a node' });
  await picker.getByRole('combobox').fill('transform');
  await page.keyboard.press('Enter');
  await expect(card(page, 'transform')).toBeVisible();
  await expect(edges(page)).toHaveCount(3);
  for (const name of ['Edge from Question to Transform', 'Edge from Transform to Pause', 'Edge from Pause to Reply'])
    await expect(page.getByRole('group', { name })).toBeAttached();
});

test('duplicate and delete work on a selection, one undo each', async ({ page }) => {
  await open(page);
  await card(page, 'question').click();
  await card(page, 'pause').click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+d');
  await expect(nodes(page)).toHaveCount(5);
  await expect(edges(page)).toHaveCount(3);
  await page.keyboard.press('Delete');
  await expect(nodes(page)).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(nodes(page)).toHaveCount(3);
  await expect(undo(page)).toBeDisabled();
});

test('a problem leads to its node, and its fix mends it', async ({ page }) => {
  const flow = three('With a fault');
  await open(page, {
    ...flow,
    edges: [...flow.edges, { id: 'to-nowhere', kind: 'flow', source: 'pause', port: 'next', target: 'nobody' }],
  });
  const panel = await openPanel(page, 'Problems');
  const row = panel.getByRole('listitem').filter({ hasText: 'nobody' });
  await row.getByRole('button').first().click();
  await expect(card(page, 'pause')).toHaveClass(/selected/);
  await row.getByRole('button').last().click();
  await expect(edge(page, 'to-nowhere')).toHaveCount(0);
  await expect(row).toHaveCount(0);
});

test('an empty name and a name in use are refused with the reason (BR-75)', async ({ page }) => {
  await open(page);
  await card(page, 'pause').click();
  const name = page.getByRole('textbox', { name: 'Name of the node' });
  for (const refused of ['Reply', '   ']) {
    await name.fill(refused);
    await name.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: /name|label/i })).toBeVisible();
  }
  await name.press('Escape');
  await expect(name).toHaveValue('Pause');
});

test('the palette of commands and the list of keys open by their keys', async ({ page }) => {
  await open(page);
  await onCanvas(page);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('Pause');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(card(page, 'pause')).toHaveClass(/selected/);
  await onCanvas(page);
  await page.keyboard.press('?');
  await expect(dialog).toContainText('Undo');
});

test('the outline is walked by keys along the flow, and Enter opens a node (BR-76)', async ({ page }) => {
  await open(page);
  const panel = await openPanel(page, 'Outline');
  const tree = panel.getByRole('tree');
  const rows = tree.getByRole('treeitem');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(0)).toHaveAccessibleName(/^Question/);
  await expect(rows.nth(1)).toHaveAccessibleName('next → Pause');
  await rows.nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name of the node' })).toHaveValue('Pause');
  await expect(card(page, 'pause')).toHaveClass(/selected/);
});
