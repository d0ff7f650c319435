"""The tests whose kernels run in the simulator, on a card instead: `device="simulator"` is read as the GPU.

    python tests/cuda_backend/on_a_card.py [arguments for pytest]      # on a machine with a card

What a test asks of the simulator alone (kernels that print, results without fused multiply-adds) fails there, and is
named by EXPECTED. The exit status is pytest's, 2 without a card.
"""
