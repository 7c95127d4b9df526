// The fonts of the system appear at once.
export { default } from 'vitepress/theme-without-fonts';
import './style.css';
