/** The try-it page: the console loads when the reader chooses an operation, because it is some 460 KB over the wire. */
import '../styles/try-it.css';
import '../styles/print.css';
import { render } from 'lit-html';
import { incompleteNotice, loadingNotice } from '../view/notice.ts';
import { required } from '../view/page.ts';
import { openConsole } from './console.ts';

const host = required('console');
let isOpened = false;

/** Opens the console on the operation that the address names, once; later choices are made in the console itself. */
function open(): void {
  const operation = location.hash.slice(1);
  if (isOpened || operation === '' || operation === 'content') return;
  isOpened = true;
  const notice = document.createElement('div');
  render(loadingNotice('console'), notice);
  void openConsole(host, operation, notice).catch((thrown: unknown) => {
    host.replaceChildren(notice);
    render(incompleteNotice(), notice);
    throw thrown;
  });
}

addEventListener('hashchange', open);
open();
