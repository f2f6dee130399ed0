/** A simple landscape to draw captions on. @returns {Promise<Blob>} a PNG of 640 by 360 pixels */
export function sampleFile() {
  const canvas = new OffscreenCanvas(640, 360);
  const pen = canvas.getContext('2d');
  const sky = pen.createLinearGradient(0, 0, 0, 360);
  for (const [place, colour] of [[0, '#2b3f8c'], [0.55, '#d9697a'], [0.75, '#ffc56b']]) sky.addColorStop(place, colour);
  pen.fillStyle = sky;
  pen.fillRect(0, 0, 640, 360);
  pen.fillStyle = '#fff1c4';
  pen.beginPath();
  pen.arc(430, 205, 46, 0, 2 * Math.PI);
  pen.fill();
  for (const [colour, ...points] of [
    ['#5b3a63', 0, 250, 120, 150, 220, 235, 320, 130, 470, 260, 560, 190, 640, 240],
    ['#2c2440', 0, 300, 150, 235, 290, 300, 420, 250, 540, 310, 640, 270],
  ]) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(0, 360);
    for (let place = 0; place < points.length; place += 2) pen.lineTo(points[place], points[place + 1]);
    pen.lineTo(640, 360);
    pen.fill();
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
