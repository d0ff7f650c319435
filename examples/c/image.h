/* The image that both programs classify: a ring. */
#ifndef IMAGE_H
#define IMAGE_H

static void draw(float image[256]) {
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      int distance = (2 * x - 15) * (2 * x - 15) + (2 * y - 15) * (2 * y - 15);
      image[y * 16 + x] = distance > 64 && distance < 160 ? 1.0f : 0.0f;
    }
  }
}

#endif
