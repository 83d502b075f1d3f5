import { render } from 'preact';
import { App } from './app';
import { watchColours } from './canvas';
import { instrument } from './instrument';
import './style.css';

watchColours();
instrument.start();
render(<App />, document.getElementById('app')!);
