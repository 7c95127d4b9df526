/** Adds the panel to the page of GraphiQL. Built as one script, because the page loads nothing else. */
import { render } from 'preact';
import { sendHeaders } from '../gateway/client.js';
import { enteredHeaders } from './editor.js';
import { Panel } from './panel.js';
import styles from './panel.css';

sendHeaders(enteredHeaders);
const style = document.createElement('style');
style.textContent = styles;
const place = document.createElement('div');
place.id = 'stores';
document.head.append(style);
document.body.append(place);
render(<Panel />, place);
