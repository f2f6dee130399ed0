import { work } from '{{base}}/web/{{version}}/offline/worker.js';

work('{{files}}'.split(' '));
