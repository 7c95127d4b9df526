import { render } from 'preact';
import { App } from './app.js';
import './styles.css';
import './values.css';

const page = document.getElementById('page');
if (page !== null) render(<App />, page);
